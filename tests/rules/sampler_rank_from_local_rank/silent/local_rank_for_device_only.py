# silent: the local rank picks the device, the global rank picks the shard
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Context:
    def __init__(self):
        self.local_rank = int(os.environ["LOCAL_RANK"])
        torch.cuda.set_device(self.local_rank)
        dist.init_process_group("nccl")
        self.rank = dist.get_rank()
        self.replicas = dist.get_world_size()
        self.device = torch.device("cuda", self.local_rank)


def main():
    ctx = Context()
    generator = torch.Generator().manual_seed(17)
    cells = torch.rand(8000, 32, generator=generator)
    data = TensorDataset(cells, cells.max(1).indices)
    sampler = DistributedSampler(data, ctx.replicas, ctx.rank)
    loader = DataLoader(data, batch_size=80, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Linear(32, 32).to(ctx.device), device_ids=[ctx.local_rank])
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(4):
        sampler.set_epoch(epoch)
        for cell, strongest in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(cell.to(ctx.device)), strongest.to(ctx.device)).backward()
            optimizer.step()
    if ctx.rank == 0:
        torch.save(net.module.state_dict(), "cells.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
