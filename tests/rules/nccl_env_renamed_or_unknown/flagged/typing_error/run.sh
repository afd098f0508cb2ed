export NCCL_SOCKET_IFNMAE=eth0  # expect: nccl-env-renamed-or-unknown
torchrun train.py
