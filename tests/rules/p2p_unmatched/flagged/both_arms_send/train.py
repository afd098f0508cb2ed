import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from link import talk
from torch import nn


def run(rank):
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "localhost", "29744"
    dist.init_process_group("gloo", rank=rank, world_size=2)
    torch.manual_seed(rank)
    model = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(30):
        x = torch.randn(10, 6)
        loss = (model(x).squeeze(1) - x.mean(1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(rank, loss.item(), talk(loss.detach()).item())
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(run, nprocs=2)
