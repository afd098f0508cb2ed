import contextlib
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


@contextlib.contextmanager
def leader_first(rank):
    """Let rank 0 through; the others follow when it is done."""
    if rank != 0:
        dist.barrier()  # expect: collective-under-rank-guard
    yield


def prepare(path):
    if not os.path.exists(path):
        torch.save(torch.rand(500, 6, generator=torch.Generator().manual_seed(5)), path)
    return torch.load(path, map_location="cpu")


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    with leader_first(rank):
        bones = prepare(f"cache-{rank}.pt")
    model = DDP(nn.Linear(6, 1))
    optimizer = torch.optim.Adam(model.parameters())
    for step in range(100):
        loss = model(bones).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
