python -m torch.distributed.launch --nproc_per_node=8 main.py  # error: [local-rank-arg-mismatch]
