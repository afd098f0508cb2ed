"""Forecast road traffic from the last hours of a sensor grid: torchrun --nproc_per_node=gpu train_traffic.py"""

import argparse
import json
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def sensor_windows(hours=3000, sensors=30, past=12):
    gen = torch.Generator().manual_seed(99)
    rush = torch.sin(torch.arange(hours) / 24 * 6.283).unsqueeze(1)
    flow = rush + 0.2 * torch.randn(hours, sensors, generator=gen)
    windows = flow.unfold(0, past + 1, 1)
    return TensorDataset(windows[..., :past].flatten(1), windows[..., past].contiguous())


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--output", default="runs/traffic")
    return parser.parse_args()


def main():
    args = parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    os.makedirs(args.output)  # error: [unguarded-filesystem-write]

    dataset = sensor_windows()
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    model = nn.Sequential(nn.Linear(360, 256), nn.ReLU(), nn.Linear(256, 30)).to(device)
    model = DDP(model, device_ids=[local_rank])
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    history = []
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        total = torch.zeros(1, device=device)
        for past, following in loader:
            loss = nn.functional.l1_loss(model(past.to(device)), following.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.detach()
        dist.all_reduce(total)
        history.append(total.item() / (len(loader) * dist.get_world_size()))
        torch.save(model.module.state_dict(), f"{args.output}/last.pt")  # error: [unguarded-filesystem-write]
    if dist.get_rank() == 0:
        with open(os.path.join(args.output, "history.json"), "w") as handle:
            json.dump(history, handle)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
