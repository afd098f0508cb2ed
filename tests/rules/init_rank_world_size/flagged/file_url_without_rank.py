"""A shared file as the meeting point, and no word on who is who."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel

SHARED = "/tmp/beehive-rendezvous"


def join(size):
    dist.init_process_group("gloo", init_method=f"file://{SHARED}", world_size=size)  # expect: init-rank-world-size


def hive(rank, world_size):
    join(world_size)
    torch.manual_seed(rank)
    model = DistributedDataParallel(nn.Linear(5, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(40):
        bees = torch.randn(16, 5)
        loss = (model(bees) - bees.amin(dim=1, keepdim=True)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(hive, args=(2,), nprocs=2)
