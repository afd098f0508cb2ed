# witness: crashes with "rank"
torchrun --standalone --nproc_per_node=3 train.py
