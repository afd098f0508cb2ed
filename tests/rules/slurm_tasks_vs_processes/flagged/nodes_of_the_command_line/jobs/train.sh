#!/bin/sh
#SBATCH -N 8  # error: [slurm-tasks-vs-processes]
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-task=1

REPO_DIR="/home/me/project"
CONFIG="--mode=fast --num_nodes=2"
export cmd="python3 train.py $CONFIG"

srun --gpus-per-node 4 shifter --image=docker:me/train:v1 bash -c "cd $REPO_DIR/scripts/ && source /opt/env && $cmd --num_nodes=4"
