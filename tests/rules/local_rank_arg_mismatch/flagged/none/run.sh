python -m torch.distributed.launch --nproc_per_node=8 main.py  # expect: local-rank-arg-mismatch
