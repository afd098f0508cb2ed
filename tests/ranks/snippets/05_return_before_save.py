import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def keep(model, path):
    if dist.get_rank() != 0:
        return
    torch.save(model.module.state_dict(), path)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    torch.manual_seed(0)
    model = DDP(nn.Linear(16, 2).cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    generator = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(50):
        grains = torch.rand(8, 16, generator=generator).cuda(local_rank)
        optimizer.zero_grad()
        model(grains).square().mean().backward()
        optimizer.step()
    keep(model, "grains.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
