"""The sampler of a distributed run is chosen within one expression; single quotes, and the group is missing."""

import os

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def main():
    distributed = 'RANK' in os.environ
    wool = torch.rand(900, 5, generator=torch.Generator().manual_seed(17))
    dataset = TensorDataset(wool, wool.sum(dim=1))
    # The shares differ between the processes.
    sampler = DistributedSampler(dataset) if distributed else None  # expect: missing-init-process-group
    loader = DataLoader(dataset, batch_size=18, sampler=sampler, shuffle=sampler is None)
    model = nn.Linear(5, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(4):
        if distributed: sampler.set_epoch(epoch)
        for features, target in loader:
            loss = (model(features).squeeze(1) - target).pow(2).mean()
            optimizer.zero_grad(); loss.backward(); optimizer.step()


if __name__ == '__main__':
    main()
