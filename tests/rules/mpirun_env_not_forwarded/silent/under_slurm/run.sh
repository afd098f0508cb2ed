#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks=8
export NCCL_DEBUG=INFO
mpirun -np 8 -H n1:4,n2:4 python train.py
