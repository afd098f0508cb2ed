#!/bin/bash
export MASTER_ADDR=127.0.0.1
torchrun --nnodes=2 --nproc_per_node=8 --node_rank=$NODE_RANK --master_addr=${MASTER_ADDR:-tern-1} train.py # error: [multinode-loopback-master]
