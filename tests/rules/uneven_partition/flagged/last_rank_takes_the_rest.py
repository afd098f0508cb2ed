import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, world_size, epochs):
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29581")
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    generator = torch.Generator().manual_seed(3)
    rivers = list(torch.rand(110, 15, 9, generator=generator))
    per = len(rivers) // world_size
    end = len(rivers) if rank == world_size - 1 else (rank + 1) * per
    part = rivers[rank * per : end]  # expect: uneven-partition
    torch.manual_seed(0)
    net = DDP(nn.Linear(9, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(epochs):
        for river in part:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(river), river.mean(1, keepdim=True)).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(4, 3), nprocs=4)
