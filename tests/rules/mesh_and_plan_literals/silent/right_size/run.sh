torchrun --nnodes 2 --nproc_per_node 4 train.py
