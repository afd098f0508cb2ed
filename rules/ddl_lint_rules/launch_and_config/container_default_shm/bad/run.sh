#!/bin/bash
docker run --rm --gpus all -v $PWD:/w -w /w img torchrun --nproc_per_node=8 train.py  # error: [container-default-shm]
