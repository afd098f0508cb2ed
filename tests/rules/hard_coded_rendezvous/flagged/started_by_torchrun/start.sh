#!/bin/bash
torchrun --node_rank=$NODE --nnodes 2 sum.py
