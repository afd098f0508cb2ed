torchrun --nproc-per-node=4 --local-ranks-filter=0 train.py
