#!/bin/bash
export TORCH_NCCL_AVOID_RECORD_STREAMS=1
torchrun --nproc_per_node=8 train.py
