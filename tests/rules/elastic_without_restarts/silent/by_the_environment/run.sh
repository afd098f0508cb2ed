export PET_MAX_RESTARTS=3
torchrun --nnodes=1:4 --nproc-per-node=4 --rdzv-backend=c10d --rdzv-endpoint=head:29400 --rdzv-id=1 train.py
