#!/bin/bash
#SBATCH --nodes=2
torchrun --nnodes=2 --node_rank=$SLURM_NODEID --nproc_per_node=4 --master_addr=$HEAD --master_port=29500 train.py
