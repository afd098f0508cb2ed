export HOROVOD_TIMELIN=/tmp/timeline.json  # info: [horovod-env-misspelt]
export HOROVOD_GPU_OPERATONS=NCCL  # error: [horovod-env-misspelt]
pip install horovod
