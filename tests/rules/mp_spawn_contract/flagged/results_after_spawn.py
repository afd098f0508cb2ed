"""What follows the spawn call belongs to the first process, too."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

NAME = 'tally.pt'


def work(rank, size):
    dist.init_process_group('gloo', init_method='tcp://127.0.0.1:29661', rank=rank, world_size=size)
    tally = torch.full((3,), float(rank))
    dist.all_reduce(tally)
    if rank == 0:
        torch.save(tally, NAME)
    dist.destroy_process_group()


# One process per shelf.
context = mp.spawn(work, args=(2,), nprocs=2, join=False)  # expect: mp-spawn-contract
while not context.join():
    pass
print(torch.load(NAME))
