"""The size is asked of the launcher where there is one."""

import os
import torch.distributed as dist

NAMES = ("RANK", "WORLD_SIZE")


def size(env=None):
    source = dict(os.environ if env is None else env)
    present = [name for name in NAMES if name in source]
    if not present:
        return 1
    missing = [name for name in NAMES if name not in source]
    if missing:
        raise ValueError(missing)
    return int(source.get("WORLD_SIZE"))


def rank(env=None):
    source = dict(os.environ if env is None else env)
    if "RANK" not in source:
        return 0
    return int(source.get("RANK"))


dist.init_process_group("gloo", rank=rank(), world_size=size())
dist.barrier()
dist.destroy_process_group()
