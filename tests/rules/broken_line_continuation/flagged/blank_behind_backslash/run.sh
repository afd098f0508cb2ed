torchrun --nproc_per_node=8 train.py \ # expect: broken-line-continuation
    --epochs 3
