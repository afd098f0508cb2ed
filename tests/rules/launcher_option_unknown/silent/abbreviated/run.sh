torchrun --nproc_per_n=4 --nnode 1 train.py
