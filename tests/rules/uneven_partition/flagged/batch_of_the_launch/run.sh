torchrun --nproc_per_node=8 train.py --batch-size 30
