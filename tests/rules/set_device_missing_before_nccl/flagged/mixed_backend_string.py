"""A backend for both kinds of tensor still needs a device of its own for CUDA."""

from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


@dataclass
class Setup:
    backend: str = "cpu:gloo,cuda:nccl"
    steps: int = 60


def main(setup):
    dist.init_process_group(backend=setup.backend)
    criterion = nn.CrossEntropyLoss()
    model = nn.Linear(10, 3)
    model.cuda()  # error: [set-device-missing-before-nccl]
    model = DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for _ in range(setup.steps):
        twig = torch.randn(30, 10).cuda()
        loss = criterion(model(twig), twig[:, :3].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main(Setup())
