#!/bin/sh
#SBATCH -N 8
#SBATCH --ntasks-per-node=4
srun --nodes=4 python scripts/train.py --num_nodes=4
