torchrun --nproc_per_node=1 main.py
