#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks=8
export NCCL_DEBUG=INFO
mpirun --mca plm rsh -np 8 -H n1:4,n2:4 python train.py  # error: [mpirun-env-not-forwarded]
