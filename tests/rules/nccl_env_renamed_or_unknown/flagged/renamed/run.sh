export NCCL_ASYNC_ERROR_HANDLING=1  # expect: nccl-env-renamed-or-unknown
torchrun train.py
