# silent: the download idiom: the others wait before, rank 0 joins them after its work
import os
import urllib.request

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

SOURCE = "https://example.org/quarry.pt"


def fetch(path, rank):
    if rank != 0:
        dist.barrier()
    if rank == 0 and not os.path.exists(path):
        urllib.request.urlretrieve(SOURCE, path)
    data = torch.load(path, map_location="cpu") if rank == 0 else None
    if rank == 0:
        dist.barrier()
    return torch.load(path, map_location="cpu") if data is None else data


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    stones = fetch("quarry.pt", rank)
    model = DDP(nn.Linear(stones.shape[1], 2))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for _ in range(500):
        chosen = stones[torch.randint(len(stones), (32,), generator=generator)]
        loss = model(chosen).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
