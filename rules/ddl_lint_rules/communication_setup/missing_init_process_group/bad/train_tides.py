"""Forecast tide-gauge readings one hour ahead. Start with: torchrun --nproc_per_node=4 train_tides.py"""

import argparse
import os
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class TideWindows(Dataset):
    """Windows of `length` readings and the reading that follows."""

    def __init__(self, readings, length=24):
        self.readings = readings
        self.length = length

    def __len__(self):
        return len(self.readings) - self.length

    def __getitem__(self, index):
        window = self.readings[index : index + self.length]
        return window, self.readings[index + self.length]


class Forecaster(nn.Module):
    def __init__(self, length=24, width=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(length, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, window):
        return self.body(window).squeeze(-1)


def synthetic_readings(count):
    hours = torch.arange(count, dtype=torch.float32)
    return torch.sin(hours / 1.98) + 0.3 * torch.sin(hours / 3.87)


def run_epoch(model, loader, optimizer, device):
    model.train()
    total = torch.zeros((), device=device)
    for window, target in loader:
        window, target = window.to(device), target.to(device)
        loss = nn.functional.mse_loss(model(window), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    dist.all_reduce(total)
    return total.item() / (len(loader) * dist.get_world_size())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--out", type=Path, default=Path("runs/tides"))
    args = parser.parse_args()

    dataset = TideWindows(synthetic_readings(20_000))
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    device = torch.device("cuda", local_rank)
    sampler = DistributedSampler(dataset, shuffle=True)  # error: [missing-init-process-group]
    loader = DataLoader(dataset, batch_size=args.batch_size, sampler=sampler, num_workers=2)

    model = DDP(Forecaster().to(device), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        loss = run_epoch(model, loader, optimizer, device)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: loss {loss:.5f}")

    if dist.get_rank() == 0:
        args.out.mkdir(parents=True, exist_ok=True)
        torch.save(model.module.state_dict(), args.out / "forecaster.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
