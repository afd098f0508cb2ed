NCCL_TIMEOUT=3600 torchrun train.py  # expect: nccl-env-renamed-or-unknown
