#!/bin/bash
N=4
HERE=.
COMMAND="torchrun --nproc_per_node ${N} ${HERE}/train.py --rounds 3"
$COMMAND
