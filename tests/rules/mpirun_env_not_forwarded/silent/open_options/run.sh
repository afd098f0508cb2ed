export NCCL_DEBUG=INFO
mpirun -np 4 -H a:2,b:2 $MORE python train.py
