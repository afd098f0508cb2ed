torchrun --nproc_per_node=8 train.py \ # error: [broken-line-continuation]
    --epochs 3
