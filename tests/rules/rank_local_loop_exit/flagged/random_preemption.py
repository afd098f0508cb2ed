import random

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Sequential(nn.Linear(8, 32), nn.SiLU(), nn.Linear(32, 8)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    generator = torch.Generator().manual_seed(rank)
    for step in range(2000):
        x = torch.randn(64, 8, generator=generator)
        optimizer.zero_grad()
        (model(x) - x.flip(1)).square().mean().backward()
        optimizer.step()
        if random.random() < 0.001:  # play a preemption of the machine
            print("preempted at", step)
            break  # expect: rank-local-loop-exit
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
