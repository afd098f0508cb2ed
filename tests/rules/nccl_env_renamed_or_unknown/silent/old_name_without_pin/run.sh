export NCCL_ASYNC_ERROR_HANDLING=1
torchrun train.py
