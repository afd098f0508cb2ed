# witness: crashes with "'>' not supported between instances of 'str' and 'int'", on deepspeed
torchrun --standalone --nproc_per_node=1 train.py
