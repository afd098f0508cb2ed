#!/bin/bash
# run on each of the two nodes, with NODE=0 and NODE=1
torchrun --nnodes 2 --node-rank "$NODE" --nproc-per-node 8 --master-addr "$HEAD" --master-port 29400 train_glacier.py
