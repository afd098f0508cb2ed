#!/bin/bash
#SBATCH --nodes=2
torchrun --nnodes=2 --node_rank=$1 --nproc_per_node=4 --master_addr=$2 --master_port=29500 train.py
