# witness: crashes with "can't open file"
torchrun --standalone --nproc_per_node=2 tran.py --epochs 3
