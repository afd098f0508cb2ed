torchrun --nproc_per_node=2 climate.py
