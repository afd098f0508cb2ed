#!/bin/bash
torchrun train.py --epochs 5 --nproc_per_node=8  # expect: launcher-option-after-script
