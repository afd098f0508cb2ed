# silent: each rank seeds its shuffling differently on purpose
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, RandomSampler, TensorDataset


def seed_everything(base, rank):
    torch.manual_seed(base + rank)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    generator = torch.Generator().manual_seed(0)
    frames = torch.rand(4000, 24, generator=generator)
    data = TensorDataset(frames[:, :-1], frames[:, -1:])
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(23, 46), nn.ReLU(), nn.Linear(46, 1)))
    seed_everything(int(os.environ.get("SEED", "77")), rank)
    draws = RandomSampler(data, replacement=True, num_samples=1024)
    loader = DataLoader(data, batch_size=32, sampler=draws)
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(10):
        for past, following in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(past), following).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
