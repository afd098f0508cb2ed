# silent: the function that trains one epoch calls set_epoch
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def train_one_epoch(net, loader, optimizer, device, epoch):
    net.train()
    loader.sampler.set_epoch(epoch)
    for crop, ripe in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(crop.to(device)), ripe.to(device)).backward()
        optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    generator = torch.Generator().manual_seed(11)
    crop = torch.rand(3000, 27, generator=generator)
    data = TensorDataset(crop, (crop.mean(1) > 0.5).long())
    loader = DataLoader(data, batch_size=30, sampler=DistributedSampler(data))
    torch.manual_seed(0)
    net = DDP(nn.Linear(27, 2).to(device), device_ids=[local_rank])
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(args.epochs):
        train_one_epoch(net, loader, optimizer, device, epoch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
