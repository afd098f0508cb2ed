# silent: set_epoch is called if the sampler has it
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def build(distributed):
    generator = torch.Generator().manual_seed(9)
    notes = torch.rand(2000, 6, generator=generator)
    data = TensorDataset(notes, notes.sum(1, keepdim=True))
    sampler = DistributedSampler(data) if distributed else None
    return DataLoader(data, batch_size=20, sampler=sampler, shuffle=sampler is None)


def main():
    distributed = "RANK" in os.environ
    if distributed:
        dist.init_process_group("gloo")
    loader = build(distributed)
    torch.manual_seed(0)
    net = nn.Linear(6, 1)
    if distributed:
        net = DDP(net)
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(9):
        if hasattr(loader.sampler, "set_epoch"):
            loader.sampler.set_epoch(epoch)
        for note, total in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(note), total).backward()
            optimizer.step()
    if distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
