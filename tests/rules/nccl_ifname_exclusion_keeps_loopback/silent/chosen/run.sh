export NCCL_SOCKET_IFNAME=eth
torchrun --nnodes=2 --node_rank=$R --master_addr=$H --nproc_per_node=8 train.py
