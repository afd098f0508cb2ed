#!/bin/bash
if [ "$1" = train ]; then
    torchrun --nproc_per_node=8 train.py \
        --epochs 3 \ 

    echo done
fi
torchrun --nproc_per_node=8 train.py --epochs 3 \ 
echo done
