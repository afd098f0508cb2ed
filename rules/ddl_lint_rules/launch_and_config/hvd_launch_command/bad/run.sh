#!/bin/bash
torchrun --nproc_per_node=4 train.py  # expect: hvd-launch-command
