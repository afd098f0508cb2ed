#!/bin/bash
for nodes in 2 4; do
    NCCL_DEBUG=INFO torchrun \
        --nnodes $nodes \
        --nproc_per_node 8 \  # error: [broken-line-continuation]
        train.py \
        --epochs 3
done
