export TORCH_DISTRIBUTED_DEBUG=DETAIL
torchrun --standalone --nproc_per_node=2 train.py
