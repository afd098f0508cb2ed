"""Depth of snow from station data. torchrun --nproc-per-node 4 train_snow.py snow.pt"""

import argparse
import os

import torch
import torch.distributed as dist
from stopping import EarlyStopping
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def read(path: str) -> tuple[TensorDataset, TensorDataset]:
    stations = torch.load(path, map_location="cpu")
    weather, depth = stations["weather"], stations["depth"]
    cut = len(weather) // 10
    return TensorDataset(weather[cut:], depth[cut:]), TensorDataset(weather[:cut], depth[:cut])


@torch.no_grad()
def error_of(net: nn.Module, loader: DataLoader, device: torch.device) -> float:
    net.eval()
    total, count = 0.0, 0
    for weather, depth in loader:
        total += (net(weather.to(device)).squeeze(1) - depth.to(device)).abs().sum().item()
        count += len(depth)
    net.train()
    return total / count


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--epochs", type=int, default=200)
    parser.add_argument("--patience", type=int, default=10)
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    device = torch.device("cuda", local_rank)
    torch.manual_seed(5)
    train, held_out = read(args.data)
    sampler = DistributedSampler(train)
    train_loader = DataLoader(train, batch_size=128, sampler=sampler)
    held_out_loader = DataLoader(held_out, batch_size=256)
    net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    model = DDP(net, device_ids=[local_rank])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    stopping = EarlyStopping(args.patience)
    stop = False
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for weather, depth in train_loader:
            loss = nn.functional.smooth_l1_loss(model(weather.to(device)).squeeze(1), depth.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank == 0:
            error = error_of(model.module, held_out_loader, device)
            print(f"epoch {epoch}: {error:.3f} cm")
            stop = stopping.update(error)
            if stopping.waited == 0:
                torch.save(model.module.state_dict(), "snow_model.pt")
        if stop:  # error: [rank-guarded-value-steers-collective]
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
