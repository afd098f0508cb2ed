export NCCL_ASYNC_ERROR_HANDLING=1  # error: [nccl-env-renamed-or-unknown]
torchrun train.py
