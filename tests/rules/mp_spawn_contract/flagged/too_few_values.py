"""The target wants the index and three values, the tuple has two."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def simulate(rank, world_size, particles, seed):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29654", rank=rank, world_size=world_size)
    generator = torch.Generator().manual_seed(seed + rank)
    path = torch.randn(particles, 100, generator=generator).cumsum(dim=1)
    spread = path[:, -1].var()
    dist.all_reduce(spread)
    if rank == 0:
        print(spread.item() / world_size)
    dist.destroy_process_group()


def launch(processes, particles):
    mp.spawn(simulate, args=(processes, particles), nprocs=processes)  # expect: mp-spawn-contract


if __name__ == "__main__":
    launch(2, 5000)
