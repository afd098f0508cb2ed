#!/bin/bash
torchrun --nnodes=2:6 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=head:29400 --rdzv_id=tides train.py  # error: [elastic-without-restarts]
