NCCL_TIMEOUT=3600 torchrun train.py  # error: [nccl-env-renamed-or-unknown]
