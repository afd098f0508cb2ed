# witness: crashes with "Input should be", on deepspeed
torchrun --standalone --nproc_per_node=1 train.py
