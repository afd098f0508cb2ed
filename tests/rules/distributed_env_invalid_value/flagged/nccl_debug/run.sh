NCCL_DEBUG=warning torchrun train.py  # expect: distributed-env-invalid-value
