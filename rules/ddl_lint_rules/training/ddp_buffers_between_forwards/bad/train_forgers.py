"""Learn to see which brush strokes are forged: torchrun --nproc_per_node=gpu train_forgers.py"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def strokes(count=3200, length=32):
    gen = torch.Generator().manual_seed(64)
    return TensorDataset(torch.randn(count, length, generator=gen).cumsum(1) / 4)


class Judge(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, width), nn.BatchNorm1d(width), nn.LeakyReLU(0.2))
        self.verdict = nn.Linear(width, 1)

    def forward(self, stroke):
        return self.verdict(self.body(stroke))


def forge(stroke):
    """Strokes of an unsteady hand."""
    return stroke + 0.3 * torch.randn_like(stroke)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=48)
    parser.add_argument("--epochs", type=int, default=7)
    args = parser.parse_args()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl")

    data = strokes()
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=80, sampler=sampler)
    model = DDP(Judge(args.width).to(device), device_ids=[device.index])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for (stroke,) in loader:
            stroke = stroke.to(device)
            genuine = model(stroke)
            forged = model(forge(stroke))  # error: [ddp-buffers-between-forwards]
            loss = nn.functional.softplus(-genuine).mean() + nn.functional.softplus(forged).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "judge.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
