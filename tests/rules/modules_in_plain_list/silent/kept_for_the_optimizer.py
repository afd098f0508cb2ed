# silent: the parameters in the list are those of a module that holds them itself; the list only names some of them
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Master(nn.Module):
    def __init__(self, module: nn.Module):
        super().__init__()
        self.module = module
        self.halves: list[nn.Parameter] = list()
        for p in module.parameters():
            p.data = p.data.half()
            self.halves.append(p)

    def forward(self, x):
        self.clip(1.0)
        return self.module(x)

    def clip(self, most):
        for p in self.halves:
            p.data.clamp_(-most, most)


def build(width):
    return nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 4))


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = Master(build(16).cuda(local_rank))
    model = DistributedDataParallel(model, device_ids=[local_rank])
    model(torch.randn(8, 16, device=f"cuda:{local_rank}").half()).float().sum().backward()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
