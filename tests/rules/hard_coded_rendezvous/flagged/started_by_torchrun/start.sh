#!/bin/bash
torchrun --nnodes 2 sum.py
