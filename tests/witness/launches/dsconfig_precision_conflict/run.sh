# witness: crashes with "modes cannot be simultaneously enabled", on deepspeed
torchrun --standalone --nproc_per_node=1 train.py
