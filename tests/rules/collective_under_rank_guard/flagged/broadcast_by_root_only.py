import json

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def settings(rank):
    box = [{"width": 16, "steps": 100}]
    if rank == 0:
        with open("settings.json") as file:
            box = [json.load(file)]
        dist.broadcast_object_list(box, src=0)  # expect: collective-under-rank-guard
    return box[0]


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    chosen = settings(rank)
    model = DDP(nn.Sequential(nn.Linear(4, 16), nn.GELU(), nn.Linear(16, 4)))
    optimizer = torch.optim.Adam(model.parameters(), lr=chosen.get("lr", 1e-3))
    generator = torch.Generator().manual_seed(rank)
    for _ in range(200):
        kites = torch.rand(10, 4, generator=generator)
        loss = (model(kites) - kites.flip(1)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
