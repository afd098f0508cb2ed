python -m torch.distributed.launch --nproc_per_node 4 reap.py --harvest oats
