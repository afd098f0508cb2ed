import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

WORLD_SIZE = 4


def work(rank):
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29583")
    dist.init_process_group("gloo", rank=rank, world_size=WORLD_SIZE)
    everything = torch.arange(30.0)
    parts = list(everything.chunk(WORLD_SIZE)) if rank == 0 else None  # expect: uneven-partition
    own = torch.empty(8)
    dist.scatter(own, parts, src=0)
    total = own.sum()
    dist.all_reduce(total)
    if rank == 0:
        print(total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(work, nprocs=WORLD_SIZE)
