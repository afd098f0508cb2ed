export NCCL_SOCKET_IFNMAE=eth0  # error: [nccl-env-renamed-or-unknown]
torchrun train.py
