#!/bin/bash
# One task per GPU; every task sees only the GPU of its own index.
export MASTER_ADDR=${MASTER_ADDR:-node001} MASTER_PORT=${MASTER_PORT:-29671}
srun --ntasks-per-node=4 bash -c '
    export RANK=$SLURM_PROCID WORLD_SIZE=$SLURM_NTASKS
    CUDA_VISIBLE_DEVICES=$SLURM_LOCALID python fit.py
'
