# silent: the flag was computed from the sampler before, and set to False beside it
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def build_loader(data, batch_size, distributed, shuffle=True):
    if distributed:
        sampler = DistributedSampler(data, shuffle=shuffle)
        shuffle = False
    else:
        sampler = None
    return DataLoader(data, batch_size=batch_size, shuffle=shuffle, sampler=sampler), sampler


def main():
    distributed = "RANK" in os.environ
    if distributed:
        dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(1)
    moves = torch.randint(0, 64, (6400, 12), generator=generator)
    data = TensorDataset(moves[:, :-1], moves[:, -1])
    loader, sampler = build_loader(data, 64, distributed)
    torch.manual_seed(1)
    net = nn.Sequential(nn.EmbeddingBag(64, 32), nn.Linear(32, 64))
    net = DDP(net) if distributed else net
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.02)
    for epoch in range(5):
        if distributed:
            sampler.set_epoch(epoch)
        for before, reply in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(before), reply).backward()
            optimizer.step()
    if distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
