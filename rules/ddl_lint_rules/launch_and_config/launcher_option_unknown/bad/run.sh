#!/bin/bash
torchrun --nproc_per_nodes=4 train.py  # error: [launcher-option-unknown]
