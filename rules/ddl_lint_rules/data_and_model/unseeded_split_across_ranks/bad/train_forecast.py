"""Start with: torchrun --nproc-per-node 4 train_forecast.py --stations data/stations"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from stations import make_loaders


@torch.no_grad()
def validate(model, loader, device):
    model.eval()
    totals = torch.zeros(2, device=device)
    for day, following in loader:
        error = model(day.to(device)).squeeze(1) - following.to(device)
        totals[0] += error.square().sum()
        totals[1] += error.numel()
    dist.all_reduce(totals)
    return (totals[0] / totals[1]).sqrt().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--stations", required=True)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch-size", type=int, default=256)
    args = parser.parse_args()

    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)

    train_loader, val_loader, sampler = make_loaders(args.stations, args.batch_size)
    network = nn.Sequential(nn.Linear(24, 64), nn.SiLU(), nn.Linear(64, 1)).to(device)
    model = DDP(network, device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        model.train()
        for day, following in train_loader:
            optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.huber_loss(model(day.to(device)).squeeze(1), following.to(device))
            loss.backward()
            optimizer.step()
        error = validate(model, val_loader, device)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: root mean square error {error:.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
