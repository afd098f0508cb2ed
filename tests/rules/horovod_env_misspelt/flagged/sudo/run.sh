HOROVOD_GPU_OPERATIONS=NCCL sudo pip install horovod  # error: [horovod-env-misspelt]
