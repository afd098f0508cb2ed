#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --micro-batch-size 4 --use-distributed-optimizer --overlap-param-gather  # error: [megatron-flag-conflict]
