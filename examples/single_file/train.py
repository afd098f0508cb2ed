"""Forecast a household's electricity use for the next hour, with one process per GPU.

torchrun --nproc_per_node=gpu train.py --epochs 20 --output runs/power
"""

import argparse
import csv
import os
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler

HOURS_BACK = 48


class PowerUse(Dataset):
    """Windows of past hours and the hour that follows, in kilowatts."""

    def __init__(self, hours, seed):
        gen = torch.Generator().manual_seed(seed)
        clock = torch.arange(hours, dtype=torch.float32)
        daily = 0.6 + 0.4 * torch.sin(2 * torch.pi * (clock - 7) / 24)
        weekly = 1.0 + 0.2 * torch.cos(2 * torch.pi * clock / 168)
        self.kilowatts = daily * weekly + 0.05 * torch.randn(hours, generator=gen)

    def __len__(self):
        return len(self.kilowatts) - HOURS_BACK

    def __getitem__(self, index):
        return self.kilowatts[index : index + HOURS_BACK], self.kilowatts[index + HOURS_BACK]


class Forecaster(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.rnn = nn.GRU(1, width, batch_first=True)
        self.head = nn.Linear(width, 1)

    def forward(self, past):
        states, _ = self.rnn(past.unsqueeze(-1))
        return self.head(states[:, -1]).squeeze(-1)


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch-size", type=int, default=64, help="samples per GPU")
    parser.add_argument("--width", type=int, default=96)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--output", type=Path, default=Path("runs/power"))
    parser.add_argument("--resume", type=Path, help="a checkpoint of an earlier run")
    return parser.parse_args()


def resume(path, model, optimizer):
    """Continue from a checkpoint; returns the first epoch that is still to do."""
    checkpoint = torch.load(path)
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    return checkpoint["epoch"] + 1


def mean_over_ranks(total, count):
    """Mean of a sum that is spread over the ranks, the same number on each of them."""
    both = torch.stack([total, count])
    dist.all_reduce(both)
    return (both[0] / both[1]).item()


def run_epoch(model, loader, device, optimizer=None):
    """One pass over the data, with weight updates when there is an optimizer; returns the mean absolute error."""
    model.train(optimizer is not None)
    total = torch.zeros((), device=device)
    count = torch.zeros((), device=device)
    for past, following in loader:
        past, following = past.to(device), following.to(device)
        error = (model(past) - following).abs()
        if optimizer is not None:
            optimizer.zero_grad()
            error.mean().backward()
            optimizer.step()
        total += error.detach().sum()
        count += len(error)
    return mean_over_ranks(total, count)


def main():
    args = parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    is_main = dist.get_rank() == 0
    args.output.mkdir(parents=True)

    train_set = PowerUse(hours=20000, seed=1)
    test_set = PowerUse(hours=2000, seed=2)
    train_sampler = DistributedSampler(train_set, shuffle=True)
    test_sampler = DistributedSampler(test_set, shuffle=False)
    train_loader = DataLoader(train_set, batch_size=args.batch_size, sampler=train_sampler, num_workers=2)
    test_loader = DataLoader(test_set, batch_size=args.batch_size, sampler=test_sampler)

    model = Forecaster(args.width).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    first_epoch = resume(args.resume, model, optimizer) if args.resume else 0
    ddp = DDP(model, device_ids=[local_rank])

    history = []
    for epoch in range(first_epoch, args.epochs):
        train_error = run_epoch(ddp, train_loader, device, optimizer)
        with torch.no_grad():
            test_error = run_epoch(ddp, test_loader, device)
        history.append((epoch, train_error, test_error))
        if is_main:
            print(f"epoch {epoch}: train {train_error:.4f} kW, test {test_error:.4f} kW")
            state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
            torch.save(state, args.output / "last.pt")

    if is_main:
        with open(args.output / "history.csv", "w", newline="") as handle:
            csv.writer(handle).writerows(history)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
