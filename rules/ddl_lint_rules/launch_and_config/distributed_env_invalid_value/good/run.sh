#!/bin/bash
export TORCH_DISTRIBUTED_DEBUG=DETAIL
torchrun --nproc_per_node=8 train.py
