torchrun --nproc_per_node=8 engine/pretrain.py
