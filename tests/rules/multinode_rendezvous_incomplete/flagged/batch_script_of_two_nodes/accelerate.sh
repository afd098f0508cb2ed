#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gres=gpu:h100:4
MASTER_ADDR=$(scontrol show hostnames $SLURM_NODELIST | head -n 1)
NUM_PROCESSES=$((SLURM_NNODES * 4))
bash -c "accelerate launch --num_machines $SLURM_NNODES --machine_rank $SLURM_PROCID --main_process_ip $MASTER_ADDR --num_processes $NUM_PROCESSES train.py"  # error: [multinode-rendezvous-incomplete]
