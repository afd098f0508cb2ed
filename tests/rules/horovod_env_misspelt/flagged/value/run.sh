export HOROVOD_GPU_OPERATIONS=CUDA  # expect: horovod-env-misspelt
pip install horovod
