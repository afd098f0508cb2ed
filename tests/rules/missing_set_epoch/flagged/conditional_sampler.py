import argparse
import os
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


@dataclass
class Config:
    epochs: int
    batch_size: int = 24
    distributed_run: bool = False


def prepare_loader(config):
    generator = torch.Generator().manual_seed(9)
    speech = torch.randn(2400, 80, generator=generator)
    data = TensorDataset(speech, speech.abs().mean(1, keepdim=True))
    sampler = DistributedSampler(data) if config.distributed_run else None
    return DataLoader(data, batch_size=config.batch_size, sampler=sampler, shuffle=sampler is None, drop_last=True)


def train(config):
    if config.distributed_run:
        dist.init_process_group("gloo")
    torch.manual_seed(0)
    net = nn.Linear(80, 1)
    if config.distributed_run:
        net = DDP(net)
    optimizer = torch.optim.Adam(net.parameters())
    loader = prepare_loader(config)
    for epoch in range(config.epochs):  # expect: missing-set-epoch
        for frame, level in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(frame), level).backward()
            optimizer.step()
        print("finished epoch", epoch)
    if config.distributed_run:
        dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=50)
    train(Config(epochs=parser.parse_args().epochs, distributed_run="RANK" in os.environ))
