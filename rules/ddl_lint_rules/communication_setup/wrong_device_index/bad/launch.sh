#!/bin/bash
# Run on each of the two nodes with NODE_RANK=0 and NODE_RANK=1.
set -euo pipefail

torchrun --nnodes=2 --nproc_per_node=4 --node_rank="$NODE_RANK" \
    --master_addr="$MASTER_ADDR" --master_port="${MASTER_PORT:-29690}" \
    train.py --epochs 20 --batch-size 64
