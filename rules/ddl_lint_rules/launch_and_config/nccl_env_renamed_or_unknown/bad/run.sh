#!/bin/bash
export NCCL_AVOID_RECORD_STREAMS=1  # error: [nccl-env-renamed-or-unknown]
torchrun --nproc_per_node=8 train.py
