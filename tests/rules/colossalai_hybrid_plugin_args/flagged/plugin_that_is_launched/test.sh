#!/bin/bash
torchrun --standalone --nproc_per_node 1 train.py --plugin hybrid
