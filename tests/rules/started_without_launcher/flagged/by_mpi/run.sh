mpirun -np 8 python train.py  # expect: started-without-launcher
