#!/bin/sh
#SBATCH -N 8
#SBATCH --ntasks-per-node=4
srun python scripts/train.py --num_nodes=$SLURM_NNODES
