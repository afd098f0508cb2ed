#!/bin/bash
export NNODES=3
torchrun --nnodes "$NNODES" --nproc_per_node 8 --rdzv_backend c10d --rdzv_endpoint "$HEAD:29703" run.py
