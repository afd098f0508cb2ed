#!/bin/bash
torchrun --nproc_per_nodes=4 train.py  # expect: launcher-option-unknown
