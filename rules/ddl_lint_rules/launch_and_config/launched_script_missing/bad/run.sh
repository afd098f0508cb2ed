#!/bin/bash
torchrun --nproc_per_node=8 tran.py --epochs 3  # error: [launched-script-missing]
