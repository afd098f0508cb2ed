mpirun -np 4 -H localhost:4 -mca btl_tcp_if_exclude docker0 python train.py
