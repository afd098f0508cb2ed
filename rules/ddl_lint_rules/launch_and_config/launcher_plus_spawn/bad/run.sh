#!/bin/bash
torchrun --nproc_per_node=4 main.py  # expect: launcher-plus-spawn
