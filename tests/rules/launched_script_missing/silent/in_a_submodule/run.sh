torchrun --nproc_per_node 2 third_party/library/pretrain.py
