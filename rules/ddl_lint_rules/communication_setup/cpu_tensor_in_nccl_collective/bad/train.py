"""Predict the water level of a river; stops when the level of the held-out gauges gets no better."""

import argparse
import os

import torch
import torch.distributed as dist
from patience import Patience
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def gauges(count, seed):
    generator = torch.Generator().manual_seed(seed)
    rain = torch.rand(count, 24, generator=generator)
    return TensorDataset(rain, rain.cumsum(dim=1)[:, -1:] / 10)


@torch.no_grad()
def mean_error(model, loader, device):
    total, batches = 0.0, 0
    for rain, level in loader:
        error = nn.functional.mse_loss(model(rain.to(device)), level.to(device))
        total += error.item()
        batches += 1
    totals = torch.tensor([total, batches])  # error: [cpu-tensor-in-nccl-collective]
    dist.all_reduce(totals)
    return (totals[0] / totals[1]).item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--patience", type=int, default=3)
    args = parser.parse_args()

    local_rank = int(os.environ["LOCAL_RANK"])
    device = torch.device("cuda", local_rank)
    torch.cuda.set_device(device)
    dist.init_process_group("nccl")

    train_set, held_out = gauges(8192, seed=0), gauges(1024, seed=1)
    sampler = DistributedSampler(train_set)
    loader = DataLoader(train_set, batch_size=args.batch_size, sampler=sampler)
    held_out_loader = DataLoader(held_out, batch_size=64, sampler=DistributedSampler(held_out, shuffle=False))
    net = nn.Sequential(nn.Linear(24, 32), nn.ReLU(), nn.Linear(32, 1)).to(device)
    model = DistributedDataParallel(net, device_ids=[local_rank])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    patience = Patience(args.patience)

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for rain, level in loader:
            loss = nn.functional.mse_loss(model(rain.to(device)), level.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if patience.is_over(mean_error(model, held_out_loader, device)):
            break

    dist.destroy_process_group()


if __name__ == "__main__":
    main()
