export NCCL_DEBUG=INFO
horovodrun -np 4 -H a:2,b:2 python train.py
