torchrun --nproc_per_node=$N train.py
