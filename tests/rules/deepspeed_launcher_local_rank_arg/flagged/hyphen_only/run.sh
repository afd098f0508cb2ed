#!/usr/bin/env bash
set -e
export NCCL_DEBUG=WARN
deepspeed --include localhost:0,1 \
    train.py --width 512 --epochs 10
