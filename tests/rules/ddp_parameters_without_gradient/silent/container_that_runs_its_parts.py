import os, torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Layer(nn.Sequential):
    def __init__(self, n):
        super().__init__()
        self.add_module("norm", nn.BatchNorm1d(n))
        self.add_module("conv", nn.Linear(n, n))

    def forward(self, x):
        new = super(Layer, self).forward(x)
        return torch.cat([x, new], 1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = Layer(4)

    def forward(self, x):
        return self.one(x)


dist.init_process_group("nccl")
local = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local)
model = DDP(Net().cuda(), device_ids=[local])
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(10):
    opt.zero_grad()
    model(torch.ones(2, 4, device=local)).sum().backward()
    opt.step()
dist.destroy_process_group()
