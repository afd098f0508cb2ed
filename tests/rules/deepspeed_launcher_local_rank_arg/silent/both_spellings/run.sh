#!/usr/bin/env bash
set -e
deepspeed --num_gpus 4 train.py --width 512
