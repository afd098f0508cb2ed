#!/bin/bash
export NCCL_SOCKET_IFNAME=^docker0,lo
export GLOO_SOCKET_IFNAME=ens5
torchrun --nproc_per_node=8 train.py
