# witness: crashes with "Extra inputs are not permitted", on deepspeed
torchrun --standalone --nproc_per_node=1 train.py
