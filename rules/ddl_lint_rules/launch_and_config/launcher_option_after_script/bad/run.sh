#!/bin/bash
torchrun train.py --epochs 5 --nproc_per_node=8  # error: [launcher-option-after-script]
