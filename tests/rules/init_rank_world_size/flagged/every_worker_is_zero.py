"""All spawned processes claim rank 0."""

import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(local_rank, world_size):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29632")
    dist.init_process_group("gloo", rank=0, world_size=world_size)  # expect: init-rank-world-size
    model = DDP(nn.Linear(11, 2))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    generator = torch.Generator().manual_seed(local_rank)
    for _ in range(80):
        yarn = torch.randn(32, 11, generator=generator)
        loss = nn.functional.cross_entropy(model(yarn), (yarn.sum(dim=1) > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(local_rank, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    processes = 4
    mp.spawn(worker, args=(processes,), nprocs=processes, join=True)
