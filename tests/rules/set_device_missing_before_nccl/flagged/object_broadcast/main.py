"""The run's name is broadcast as an object: that goes through the current device."""

import os

import torch
import torch.distributed as dist
from naming import shared_name
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

NCCL = "nccl"


def main():
    dist.init_process_group(NCCL)
    name = shared_name()
    local_rank = int(os.environ["LOCAL_RANK"])
    model = DDP(nn.Linear(6, 6).cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(25):
        burr = torch.randn(12, 6).cuda(local_rank)
        loss = (model(burr) - burr.flip(0)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), f"{name}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
