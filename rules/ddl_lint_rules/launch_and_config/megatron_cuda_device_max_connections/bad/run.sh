#!/bin/bash
torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --micro-batch-size 4 --tensor-model-parallel-size 2  # error: [megatron-cuda-device-max-connections]
