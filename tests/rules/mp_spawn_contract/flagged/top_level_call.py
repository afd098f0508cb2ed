"""A flat script: the spawn call runs again when the children import the file."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

WORLD_SIZE = 2


def work(rank, size):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29659", rank=rank, world_size=size)
    piece = torch.full((2, 2), float(rank))
    pieces = [torch.empty(2, 2) for _ in range(size)]
    dist.all_gather(pieces, piece)
    if rank == 0:
        print(torch.cat(pieces))
    dist.destroy_process_group()


print("starting", WORLD_SIZE, "processes")
mp.spawn(work, args=(WORLD_SIZE,), nprocs=WORLD_SIZE)  # expect: mp-spawn-contract
