"""Predict the glaze colour of a kiln run; one process per GPU of this machine."""

import argparse
import socket
from dataclasses import dataclass

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


@dataclass
class Config:
    epochs: int
    batch_size: int
    lr: float
    address: str
    world_size: int


class KilnRuns(Dataset):
    """Temperature curves and the red, green and blue of the fired glaze."""

    def __init__(self, runs=4000, points=60):
        generator = torch.Generator().manual_seed(1240)
        peak = 900 + 400 * torch.rand(runs, 1, generator=generator)
        shape = torch.sin(torch.linspace(0, torch.pi, points))
        self.curves = peak * shape / 1300
        self.colours = torch.cat([peak / 1300, self.curves.mean(dim=1, keepdim=True), 1 - peak / 1300], dim=1)

    def __len__(self):
        return len(self.curves)

    def __getitem__(self, index):
        return self.curves[index], self.colours[index]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def train(rank, cfg):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method=cfg.address, rank=rank, world_size=cfg.world_size)
    device = torch.device("cuda", rank)

    dataset = KilnRuns()
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=cfg.batch_size, sampler=sampler)

    net = nn.Sequential(nn.Linear(60, 32), nn.ReLU(), nn.Linear(32, 3), nn.Sigmoid()).to(device)
    model = DistributedDataParallel(net, device_ids=[rank])
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        sampler.set_epoch(epoch)
        for curve, colour in loader:
            loss = nn.functional.mse_loss(model(curve.to(device)), colour.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank == 0:
            print(f"epoch {epoch}: {loss.item():.5f}")
    if rank == 0:
        torch.save(model.module.state_dict(), "glaze.pt")
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch-size", type=int, default=50)
    parser.add_argument("--lr", type=float, default=1e-3)
    options = parser.parse_args()
    cfg = Config(
        epochs=options.epochs,
        batch_size=options.batch_size,
        lr=options.lr,
        address=f"tcp://127.0.0.1:{free_port()}",
        world_size=torch.cuda.device_count(),
    )
    mp.spawn(train, args=(cfg), nprocs=cfg.world_size, join=True)  # error: [mp-spawn-contract]


if __name__ == "__main__":
    main()
