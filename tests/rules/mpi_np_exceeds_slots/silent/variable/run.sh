mpirun -np $NP -H a:1 python train.py
