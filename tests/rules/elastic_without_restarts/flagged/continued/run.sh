python -m torch.distributed.run \
  --nnodes 1:2 --nproc-per-node 4 --rdzv-backend c10d --rdzv-endpoint head:29400 --rdzv-id 1 train.py  # error: [elastic-without-restarts]
