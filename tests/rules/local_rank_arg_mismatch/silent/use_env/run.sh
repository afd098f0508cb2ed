python -m torch.distributed.launch --use_env --nproc_per_node=8 main.py
