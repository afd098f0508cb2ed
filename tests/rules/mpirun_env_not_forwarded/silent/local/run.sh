export NCCL_DEBUG=INFO
mpirun -np 4 -H localhost:4 python train.py
