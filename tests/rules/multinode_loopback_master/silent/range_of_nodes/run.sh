torchrun --nnodes=1:4 --max-restarts=3 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=localhost:0 train.py
