torchrun --nnodes=1:4 --nproc_per_node=8 train.py
