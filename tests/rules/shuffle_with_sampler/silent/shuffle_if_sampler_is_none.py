# silent: shuffle=(sampler is None)
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def voices(n):
    generator = torch.Generator().manual_seed(5)
    frame = torch.randn(n, 80, generator=generator)
    return TensorDataset(frame, frame.mean(1, keepdim=True))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    args = parser.parse_args()
    args.distributed = int(os.environ.get("WORLD_SIZE", "1")) > 1
    if args.distributed:
        dist.init_process_group("gloo")
    data = voices(5000)
    sampler = None
    if args.distributed:
        sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=50, shuffle=(sampler is None), sampler=sampler)
    torch.manual_seed(0)
    net = nn.Linear(80, 1)
    if args.distributed:
        net = DDP(net)
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(args.epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        for frame, level in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(frame), level).backward()
            optimizer.step()
    if args.distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
