#!/bin/bash
torchrun --nnodes=4 --nproc_per_node=8 --node_rank=$NODE --master_addr=localhost train.py  # error: [multinode-loopback-master]
