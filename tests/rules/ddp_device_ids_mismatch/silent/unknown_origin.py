# silent: nobody can see here whether the registry returns a network on the GPU
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from zoo_of_networks import make_network


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(make_network("wide", classes=8), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x = torch.randn(16, 3, 32, 32, generator=gen).to(local_rank)
        label = torch.randint(0, 8, (16,), generator=gen).to(local_rank)
        opt.zero_grad()
        nn.functional.cross_entropy(model(x), label).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
