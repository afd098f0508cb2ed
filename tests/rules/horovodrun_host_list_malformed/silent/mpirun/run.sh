mpirun -np 2 -H node1,node2 python train.py
