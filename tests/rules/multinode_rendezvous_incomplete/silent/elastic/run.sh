torchrun --nnodes=1:4 --max-restarts=3 --nproc_per_node=8 train.py
