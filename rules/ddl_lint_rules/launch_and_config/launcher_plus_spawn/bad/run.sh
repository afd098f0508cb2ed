#!/bin/bash
torchrun --nproc_per_node=4 main.py  # error: [launcher-plus-spawn]
