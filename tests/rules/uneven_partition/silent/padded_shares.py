# silent: the list is padded with its own beginning until it divides
import math

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    generator = torch.Generator().manual_seed(7)
    maps = list(torch.rand(83, 12, 5, generator=generator))
    total = math.ceil(len(maps) / world_size) * world_size
    maps += maps[: total - len(maps)]
    mine = maps[rank:total:world_size]
    torch.manual_seed(0)
    net = DDP(nn.Linear(5, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    for epoch in range(6):
        for chart in mine:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(chart), chart.amax(1, keepdim=True)).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
