# silent: the modules in the dict are registered one by one, by their keys
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Stages(nn.Module):
    def __init__(self, last="third"):
        super().__init__()
        self.last = last
        self.stages = {}
        name = "first"
        self.stages[name] = nn.Linear(16, 32)
        if self.last == name:
            return
        name = "second"
        self.stages[name] = nn.Linear(32, 32)
        if self.last == name:
            return
        name = "third"
        self.stages[name] = nn.Linear(32, 4)
        self.build()

    def build(self):
        for name in self.stages.keys():
            self.add_module(name, self.stages[name])

    def forward(self, x):
        for name in self.stages:
            x = self._modules[name](x)
            if name == self.last:
                break
        return x


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DistributedDataParallel(Stages().cuda(local_rank), device_ids=[local_rank])
    model(torch.randn(8, 16, device=f"cuda:{local_rank}")).sum().backward()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
