export HOROVOD_GPU_OPERATIONS=CUDA  # error: [horovod-env-misspelt]
pip install horovod
