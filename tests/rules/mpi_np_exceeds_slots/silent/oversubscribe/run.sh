mpirun --oversubscribe -np 8 -H localhost:2 python train.py
