# witness: crashes with "TORCH_DISTRIBUTED_DEBUG"
export TORCH_DISTRIBUTED_DEBUG=VERBOSE
torchrun --standalone --nproc_per_node=2 train.py
