"""The set-up function exists, but the sampler is built first."""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def setup():
    dist.init_process_group(backend="gloo")
    return dist.get_rank()


def train(epochs):
    recipes = torch.rand(640, 18, generator=torch.Generator().manual_seed(61))
    dataset = TensorDataset(recipes, recipes.sum(dim=1))
    sampler = DistributedSampler(dataset)  # expect: missing-init-process-group
    loader = DataLoader(dataset, batch_size=16, sampler=sampler)

    rank = setup()
    model = DistributedDataParallel(nn.Linear(18, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for features, target in loader:
            loss = (model(features).squeeze(-1) - target).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank == 0:
            print(epoch, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    train(int(os.environ.get("EPOCHS", "3")))
