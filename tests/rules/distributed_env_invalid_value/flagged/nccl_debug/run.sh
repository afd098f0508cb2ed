NCCL_DEBUG=warning torchrun train.py  # error: [distributed-env-invalid-value]
