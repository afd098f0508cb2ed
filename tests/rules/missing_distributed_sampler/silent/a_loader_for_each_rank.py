"""The data are cut into as many parts as there are ranks, and each rank takes the loader of its own part."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset, random_split


def loaders_of(data, world_size):
    loaders = []
    for part in random_split(data, tuple([len(data) // world_size] * world_size)):
        loaders.append(DataLoader(part, batch_size=4, shuffle=True))
    return loaders


def work(rank, world_size, loaders):
    dist.init_process_group("gloo", init_method="tcp://localhost:2345", rank=rank, world_size=world_size)
    loader = loaders[rank]
    model = DDP(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for (x,) in loader:
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    count = torch.cuda.device_count()
    data = TensorDataset(torch.ones(64, 4))
    mp.spawn(work, args=(count, loaders_of(data, count)), nprocs=count)
