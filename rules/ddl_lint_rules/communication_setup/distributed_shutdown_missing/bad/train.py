"""Guess the depth of a lake from the colour of its water. Start: torchrun --nproc_per_node=2 train.py"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class LakeNet(nn.Module):
    """Two layers over the colour and the hour of the day."""

    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(4, width)
        self.depth = nn.Linear(width, 1)

    def forward(self, colour):
        return self.depth(self.inner(colour).tanh())


def lakes(count=4096):
    generator = torch.Generator().manual_seed(9)
    colour = torch.rand(count, 4, generator=generator)
    return TensorDataset(colour, 40 * colour[:, 2:3] - 10 * colour[:, :1])


def set_up():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")  # error: [distributed-shutdown-missing]
    return local_rank


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=25)
    args = parser.parse_args()
    local_rank = set_up()
    dataset = lakes()
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=128, sampler=sampler)
    model = DistributedDataParallel(LakeNet(args.width).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for colour, depth in loader:
            loss = nn.functional.mse_loss(model(colour.cuda()), depth.cuda())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "lakes.pt")


if __name__ == "__main__":
    main()
