#!/usr/bin/env bash
set -e
export NCCL_DEBUG=WARN
deepspeed --num_gpus 4 \
    train.py --width 512 --epochs 10
