torchrun --nnodes=1:4 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=localhost:0 train.py
