torchrun --standalone --nproc_per_node=2 train.py --epochs 5
