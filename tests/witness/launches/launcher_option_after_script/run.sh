# witness: crashes with "unrecognized arguments: --nproc_per_node=2"
torchrun --standalone train.py --nproc_per_node=2
