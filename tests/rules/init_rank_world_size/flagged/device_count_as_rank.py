"""The number of GPUs went into the place of the rank."""

import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def setup(size):
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29633")
    dist.init_process_group("nccl", rank=torch.cuda.device_count(), world_size=size)  # expect: init-rank-world-size


def fit(rank, world_size):
    torch.cuda.set_device(rank)
    setup(world_size)
    model = DDP(nn.Linear(13, 3).to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(100):
        dough = torch.randn(20, 13, device=rank)
        loss = nn.functional.cross_entropy(model(dough), dough[:, :3].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        torch.save(model.module.state_dict(), "dough.pt")
    dist.destroy_process_group()


def main():
    n_gpus = torch.cuda.device_count()
    mp.spawn(fit, args=(n_gpus,), nprocs=n_gpus)


if __name__ == "__main__":
    main()
