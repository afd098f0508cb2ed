#!/bin/bash
torchrun --nnodes=2 --nproc_per_node=8 --master_addr=10.0.0.4 train.py  # error: [multinode-rendezvous-incomplete]
