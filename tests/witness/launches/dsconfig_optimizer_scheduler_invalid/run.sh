# witness: crashes with "unexpected keyword argument 'learning_rate'", on deepspeed
torchrun --standalone --nproc_per_node=1 train.py
