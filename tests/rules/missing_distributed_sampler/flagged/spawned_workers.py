import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.utils.data as data_utils
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, world_size, epochs):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29533")
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(5)
    grain = torch.rand(3000, 5, generator=generator)
    grains = data_utils.TensorDataset(grain, grain.max(dim=1).indices)
    loader = data_utils.DataLoader(grains, 30, True)  # expect: missing-distributed-sampler
    model = DDP(nn.Sequential(nn.Linear(5, 25), nn.ReLU(), nn.Linear(25, 5)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        for features, kind in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(features), kind).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2, 4), nprocs=2)
