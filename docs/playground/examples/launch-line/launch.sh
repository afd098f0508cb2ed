#!/bin/bash
#SBATCH --nodes=2
#SBATCH --gpus-per-node=8

srun torchrun --nnodes=2 --nproc_per_nodes=8 \
    --rdzv_backend=c10d --rdzv_endpoint=localhost:29500 train.py
