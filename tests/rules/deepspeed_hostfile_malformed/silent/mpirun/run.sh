mpirun --hostfile hosts -np 2 python train.py
