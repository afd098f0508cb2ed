#!/bin/bash
for plugin in "ddp"; do
    torchrun --standalone --nproc_per_node 1 train.py --plugin $plugin
done
