#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
export WORLD_SIZE=$SLURM_NPROCS
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_PORT=29500
srun ./inner.sh
