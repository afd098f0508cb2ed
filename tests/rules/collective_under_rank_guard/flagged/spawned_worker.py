import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, world_size, epochs):
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = "29431"
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    model = DDP(nn.Linear(8, 4))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for epoch in range(epochs):
        for _ in range(20):
            mosses = torch.rand(25, 8, generator=generator)
            loss = nn.functional.cross_entropy(model(mosses), mosses[:, :4].argmax(1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank == 0:
            torch.save(model.module.state_dict(), f"moss-{epoch}.pt")
            dist.barrier()  # expect: collective-under-rank-guard
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(4, 10), nprocs=4)
