"""Start with: torchrun --nproc-per-node 4 train_tides.py --epochs 12"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from tide_data import make_loaders


def build_model(width: int = 36) -> nn.Module:
    return nn.Sequential(nn.Linear(width, 96), nn.GELU(), nn.Linear(96, 96), nn.GELU(), nn.Linear(96, 1))


def train_epoch(model, loader, optimizer, device):
    model.train()
    for window, target in loader:
        optimizer.zero_grad(set_to_none=True)
        prediction = model(window.to(device)).squeeze(1)
        loss = nn.functional.smooth_l1_loss(prediction, target.to(device))
        loss.backward()
        optimizer.step()


@torch.no_grad()
def evaluate(model, loader, device):
    model.eval()
    totals = torch.zeros(2, device=device)
    for window, target in loader:
        error = model(window.to(device)).squeeze(1) - target.to(device)
        totals[0] += error.abs().sum()
        totals[1] += error.numel()
    dist.all_reduce(totals)
    return (totals[0] / totals[1]).item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=256)
    parser.add_argument("--out", default="tides.pt")
    args = parser.parse_args()

    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    torch.manual_seed(17)

    model = DDP(build_model().to(device), device_ids=[local_rank])  # related: [missing-distributed-sampler]
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    train_loader, val_loader = make_loaders(args.batch_size)

    for epoch in range(args.epochs):
        train_epoch(model, train_loader, optimizer, device)
        mae = evaluate(model, val_loader, device)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: mean absolute error {mae:.4f}")
            torch.save(model.module.state_dict(), args.out)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
