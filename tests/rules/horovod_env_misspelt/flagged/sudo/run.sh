HOROVOD_GPU_OPERATIONS=NCCL sudo pip install horovod  # expect: horovod-env-misspelt
