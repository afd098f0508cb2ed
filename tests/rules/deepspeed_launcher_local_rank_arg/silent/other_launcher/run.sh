#!/usr/bin/env bash
# deepspeed train.py
torchrun --nproc_per_node 4 train.py
echo deepspeed train.py done
deepspeed other.py --script train.py
