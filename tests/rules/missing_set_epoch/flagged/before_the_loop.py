import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def worker(rank, world_size, start_epoch, epochs):
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29555")
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    generator = torch.Generator().manual_seed(5)
    plums = torch.rand(1700, 17, generator=generator)
    data = TensorDataset(plums, plums.sum(1, keepdim=True))
    sampler = DistributedSampler(data, num_replicas=world_size, rank=rank, shuffle=True)
    sampler.set_epoch(start_epoch)  # expect: missing-set-epoch
    loader = DataLoader(data, batch_size=17, sampler=sampler)
    torch.manual_seed(0)
    net = DDP(nn.Linear(17, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(start_epoch, epochs):
        for plum, total in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(plum), total).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(3, 0, 8), nprocs=3)
