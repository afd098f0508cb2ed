"""Depth of the water table from pumping curves. torchrun --nproc-per-node 4 train_wells.py wells.pt"""

import sys

import torch
import torch.distributed as dist
from distributed import is_main_process, setup
from evaluation import mean_error
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

EPOCHS = 15


def loaders(path):
    wells = torch.load(path, map_location="cpu")
    curves, depth = wells["curves"], wells["depth"]
    cut = int(len(curves) * 0.9)
    train = TensorDataset(curves[:cut], depth[:cut])
    held_out = TensorDataset(curves[cut:], depth[cut:])
    sampler = DistributedSampler(train)
    return (
        sampler,
        DataLoader(train, batch_size=64, sampler=sampler),
        DataLoader(held_out, batch_size=64, sampler=DistributedSampler(held_out, shuffle=False)),
    )


def main(path):
    device = setup()
    torch.manual_seed(11)
    sampler, train_loader, held_out_loader = loaders(path)
    net = nn.Sequential(nn.Linear(48, 96), nn.ReLU(), nn.Linear(96, 1)).to(device)
    model = DDP(net, device_ids=[device.index] if device.type == "cuda" else None)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    best = float("inf")
    for epoch in range(EPOCHS):
        sampler.set_epoch(epoch)
        for curves, depth in train_loader:
            loss = nn.functional.l1_loss(model(curves.to(device)).squeeze(1), depth.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        error = mean_error(model, held_out_loader, device)
        if is_main_process():
            print(f"epoch {epoch}: {error:.2f} m")
            if error < best:
                best = error
                torch.save(model.module.state_dict(), "wells_best.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
