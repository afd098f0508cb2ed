export NCCL_SOCKET_IFNAME=^docker0
torchrun --standalone --nproc_per_node=8 train.py
