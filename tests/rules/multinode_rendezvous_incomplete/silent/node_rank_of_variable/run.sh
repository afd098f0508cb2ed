torchrun --nnodes=2 --nproc_per_node=8 --node_rank=$NODE_RANK --master_addr=$HEAD train.py
