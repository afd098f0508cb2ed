# silent: all literal sizes are multiples of the literal world size
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

WORLD_SIZE = 4
GLOBAL_BATCH = 96


def work(rank, world_size):
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29570")
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    per_rank = GLOBAL_BATCH // WORLD_SIZE
    own = torch.empty(per_rank)
    parts = list(torch.arange(96.0).chunk(WORLD_SIZE)) if rank == 0 else None
    dist.scatter(own, parts, src=0)
    summed = torch.empty(6)
    dist.reduce_scatter_tensor(summed, own)
    everything = torch.empty(24)
    dist.all_gather_into_tensor(everything, summed)
    if rank == 0:
        print(everything)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(work, args=(WORLD_SIZE,), nprocs=WORLD_SIZE)
