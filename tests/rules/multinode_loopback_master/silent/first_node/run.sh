torchrun --nnodes=2 --nproc_per_node=8 --node_rank=0 --master_addr=127.0.0.1 train.py
