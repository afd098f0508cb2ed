git clone https://example.org/x
torchrun --nproc_per_node=8 x/other.py
