# witness: crashes with "--nproc_per_nodes=2"
torchrun --standalone --nproc_per_nodes=2 train.py
