import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Rotary(nn.Module):
    def __init__(self, size):
        super().__init__()
        angle = torch.outer(torch.arange(size), torch.linspace(0, 1, 8))
        self.cos = nn.Buffer(angle.cos(), persistent=False)
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x * self.cos)


dist.init_process_group("nccl")
local = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local)
model = DDP(Rotary(4).cuda(), device_ids=[local])
model(torch.ones(4, 8, device=local)).sum().backward()
dist.destroy_process_group()
