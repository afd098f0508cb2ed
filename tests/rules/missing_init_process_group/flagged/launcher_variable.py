"""The launcher's variable is there, and still nobody has created the group."""

import os

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

distributed = "LOCAL_RANK" in os.environ


def main():
    model = nn.Linear(6, 2)
    if distributed:
        model = DistributedDataParallel(model)  # expect: missing-init-process-group
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(20):
        moor = torch.randn(8, 6)
        loss = model(moor).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
