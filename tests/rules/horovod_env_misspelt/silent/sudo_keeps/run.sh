HOROVOD_GPU_OPERATIONS=NCCL sudo -E pip install horovod
