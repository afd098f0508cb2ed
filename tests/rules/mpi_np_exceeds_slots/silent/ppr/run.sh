mpirun -np 8 -H a,b -map-by ppr:4:node python train.py
