torchrun --nnodes 2 --node_rank $NODE --nproc_per_node 4 train.py
