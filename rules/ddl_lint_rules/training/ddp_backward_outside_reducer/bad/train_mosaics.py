"""Restore mosaics: which stone is missing, and how bright it was: torchrun --nproc_per_node=gpu train_mosaics.py"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def mosaics(count=2500, stones=30):
    gen = torch.Generator().manual_seed(3)
    wall = torch.rand(count, stones, generator=gen)
    gap = torch.randint(0, stones, (count,), generator=gen)
    shade = wall[torch.arange(count), gap].clone()
    wall[torch.arange(count), gap] = 0.0
    return TensorDataset(wall, gap, shade)


class Restorer(nn.Module):
    def __init__(self, stones, width):
        super().__init__()
        self.first = nn.Linear(stones, width)
        self.middle = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
        self.gap = nn.Linear(width, stones)
        self.shade = nn.Linear(width, 1)

    def forward(self, wall):
        hidden = self.first(wall)
        hidden = checkpoint(self.middle, hidden, use_reentrant=True)  # error: [ddp-backward-outside-reducer]
        return self.gap(hidden), self.shade(hidden).squeeze(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=9)
    args = parser.parse_args()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl")

    data = mosaics()
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=100, sampler=sampler)
    net = Restorer(30, args.width).to(device)
    model = DDP(net, device_ids=[device.index], find_unused_parameters=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for wall, gap, shade in loader:
            where, bright = model(wall.to(device))
            loss = nn.functional.cross_entropy(where, gap.to(device))
            if epoch > 2:
                loss = loss + nn.functional.mse_loss(bright, shade.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "mosaics.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
