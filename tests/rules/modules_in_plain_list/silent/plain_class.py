# silent: the class is no module; its models are wrapped one by one
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

class Ensemble:
    def __init__(self, width, depth):
        self.members = [nn.Linear(width, width) for _ in range(depth)]

    def forward(self, x):
        return sum(member(x) for member in self.members)


def build(width, depth):
    ensemble = Ensemble(width, depth)
    return nn.Sequential(*ensemble.members)


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    torch.manual_seed(0)
    model = DDP(build(16, 4).to(device), device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(100):
        loss = model(torch.rand(8, 16, device=device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
