#!/bin/bash
torchrun --nnodes=2 --nproc_per_node=8 --rdzv_id=$JOB --rdzv_backend=c10d --rdzv_endpoint=10.0.0.4:29400 train.py
