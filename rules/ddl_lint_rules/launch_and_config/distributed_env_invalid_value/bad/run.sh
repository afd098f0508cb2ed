#!/bin/bash
export TORCH_DISTRIBUTED_DEBUG=VERBOSE  # error: [distributed-env-invalid-value]
torchrun --nproc_per_node=8 train.py
