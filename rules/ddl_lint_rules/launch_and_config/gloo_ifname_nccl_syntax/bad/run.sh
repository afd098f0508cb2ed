#!/bin/bash
export NCCL_SOCKET_IFNAME=^docker0,lo
export GLOO_SOCKET_IFNAME=^docker0,lo  # error: [gloo-ifname-nccl-syntax]
torchrun --nproc_per_node=8 train.py
