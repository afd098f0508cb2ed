# witness: crashes with "Cannot provide deprecated parameter", on deepspeed
torchrun --standalone --nproc_per_node=1 train.py
