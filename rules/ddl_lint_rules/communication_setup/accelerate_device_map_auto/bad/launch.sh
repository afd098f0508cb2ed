#!/bin/bash
accelerate launch --num_processes 4 --mixed_precision bf16 \
    tune.py --model /models/base --data notes.jsonl --out runs/notes
