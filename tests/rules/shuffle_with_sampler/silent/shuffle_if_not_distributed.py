# silent: shuffle=not distributed
import os
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


@dataclass
class Options:
    distributed: bool
    batch_size: int = 36
    epochs: int = 6


def run(options):
    generator = torch.Generator().manual_seed(2)
    tiles = torch.rand(3600, 48, generator=generator)
    data = TensorDataset(tiles, (tiles.mean(1) > 0.5).long())
    sampler = DistributedSampler(data) if options.distributed else None
    loader = DataLoader(data, options.batch_size, shuffle=not options.distributed, sampler=sampler, drop_last=True)
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(48, 24), nn.ReLU(), nn.Linear(24, 2))
    if options.distributed:
        net = nn.parallel.DistributedDataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(options.epochs):
        if options.distributed:
            loader.sampler.set_epoch(epoch)
        for tile, cloudy in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(tile), cloudy).backward()
            optimizer.step()


if __name__ == "__main__":
    options = Options(distributed="WORLD_SIZE" in os.environ)
    if options.distributed:
        dist.init_process_group("gloo")
    run(options)
    if options.distributed:
        dist.destroy_process_group()
