mpirun -np 8 python train.py  # error: [started-without-launcher]
