"""Spawned workers know their index, and none of them starts the group."""

from functools import partial

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn

mean_square = partial(nn.functional.mse_loss, reduction="mean")


def sum_gradients(model):
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)  # expect: missing-init-process-group


def worker(rank, world_size, steps):
    torch.manual_seed(70)
    model = nn.Linear(3, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1 / world_size)
    generator = torch.Generator().manual_seed(rank)
    for _ in range(steps):
        batch = torch.randn(8, 3, generator=generator)
        loss = mean_square(model(batch), -batch)
        optimizer.zero_grad()
        loss.backward()
        sum_gradients(model)
        optimizer.step()
    if rank == 0:
        print(loss.item())


if __name__ == "__main__":
    mp.spawn(worker, args=(2, 30), nprocs=2)
