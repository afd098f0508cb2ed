# silent: the exit is taken only when there is one process, or no group at all
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def world_size():
    return dist.get_world_size() if dist.is_available() and dist.is_initialized() else 1


def synchronize():
    if not dist.is_available():
        return
    if not dist.is_initialized():
        return
    if dist.get_world_size() == 1:
        return
    dist.barrier()


def reduce_dict(values):
    """Means over the ranks."""
    if world_size() < 2:
        return values
    names = sorted(values)
    stacked = torch.stack([values[name] for name in names])
    dist.all_reduce(stacked)
    return dict(zip(names, stacked / world_size(), strict=True))


def main():
    distributed = "RANK" in os.environ
    if distributed:
        dist.init_process_group("gloo")
    rank = dist.get_rank() if distributed else 0
    torch.manual_seed(rank)
    model = nn.Linear(9, 3)
    if distributed:
        model = DDP(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for _ in range(60):
        x = torch.randn(10, 9)
        y = model(x)
        losses = {"size": y.pow(2).mean(), "shift": (y.mean(0) - 1).abs().sum()}
        optimizer.zero_grad()
        sum(losses.values()).backward()
        optimizer.step()
        means = reduce_dict({name: value.detach() for name, value in losses.items()})
        if rank == 0:
            print({name: round(value.item(), 4) for name, value in means.items()})
    synchronize()
    if distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
