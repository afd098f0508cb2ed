# silent: an if statement chooses between a sampler with the loader and a plain loader
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def build_loader(data, args):
    if args.distributed:
        sampler = DistributedSampler(data, shuffle=True)
        return DataLoader(data, batch_size=args.batch, sampler=sampler)
    return DataLoader(data, batch_size=args.batch, shuffle=True)


def build_model(args):
    net = nn.Sequential(nn.Linear(9, 27), nn.ELU(), nn.Linear(27, 3)).to(args.device)
    if args.distributed:
        net = nn.parallel.DistributedDataParallel(net, device_ids=[args.gpu])
    return net


def run(args):
    args.distributed = "LOCAL_RANK" in os.environ
    args.gpu = int(os.environ.get("LOCAL_RANK", 0))
    torch.cuda.set_device(args.gpu)
    args.device = torch.device("cuda", args.gpu)
    if args.distributed:
        dist.init_process_group("nccl")
    generator = torch.Generator().manual_seed(1)
    wine = TensorDataset(torch.randn(3000, 9, generator=generator), torch.randint(0, 3, (3000,), generator=generator))
    loader = build_loader(wine, args)
    net = build_model(args)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(args.epochs):
        if args.distributed:
            loader.sampler.set_epoch(epoch)
        for features, cultivar in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(features.to(args.device)), cultivar.to(args.device))
            loss.backward()
            optimizer.step()
    if args.distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=50)
    parser.add_argument("--epochs", type=int, default=9)
    run(parser.parse_args())
