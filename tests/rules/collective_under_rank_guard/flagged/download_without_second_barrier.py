import os
import urllib.request

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

SOURCE = "https://example.org/lichen.pt"


def fetch(path, rank):
    if rank != 0:
        dist.barrier()  # expect: collective-under-rank-guard
    if rank == 0 and not os.path.exists(path):
        urllib.request.urlretrieve(SOURCE, path)
    return torch.load(path, map_location="cpu")


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    lichen = fetch("lichen.pt", rank)
    model = DDP(nn.Linear(lichen.shape[1], 2))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for _ in range(500):
        chosen = lichen[torch.randint(len(lichen), (32,), generator=generator)]
        loss = model(chosen).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
