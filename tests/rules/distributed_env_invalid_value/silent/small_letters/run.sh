export NCCL_DEBUG=info NCCL_P2P_LEVEL=nvl
torchrun train.py
