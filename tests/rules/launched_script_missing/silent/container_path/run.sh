torchrun --nproc_per_node=8 /workspace/other.py
