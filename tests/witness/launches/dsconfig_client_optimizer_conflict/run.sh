# witness: crashes with "You are using ZeRO-Offload with a client provided optimizer", on deepspeed
torchrun --standalone --nproc_per_node=1 train.py
