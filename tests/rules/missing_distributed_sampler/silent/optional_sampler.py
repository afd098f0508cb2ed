# silent: the sampler is None in the branch that is not distributed
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def parcels(n):
    generator = torch.Generator().manual_seed(7)
    size = torch.rand(n, 4, generator=generator)
    return TensorDataset(size, size.prod(dim=1, keepdim=True))


def main(epochs=4):
    world_size = int(os.environ.get("WORLD_SIZE", "1"))
    distributed = world_size > 1
    if distributed:
        dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
    if distributed:
        model = DDP(model)
    data = parcels(4096)
    sampler = DistributedSampler(data) if distributed else None
    loader = DataLoader(data, batch_size=64, sampler=sampler, shuffle=sampler is None)
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        if sampler is not None:
            sampler.set_epoch(epoch)
        for size, volume in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(size), volume).backward()
            optimizer.step()
    if distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
