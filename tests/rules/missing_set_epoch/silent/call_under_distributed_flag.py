# silent: the call stands under the flag that also decides about the sampler
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, RandomSampler, TensorDataset


def main(args):
    args.distributed = int(os.environ.get("WORLD_SIZE", 1)) > 1
    if args.distributed:
        dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(14)
    waves = torch.rand(2100, 21, generator=generator)
    data = TensorDataset(waves, waves.sum(1, keepdim=True))
    if args.distributed:
        train_sampler = DistributedSampler(data)
    else:
        train_sampler = RandomSampler(data)
    loader = DataLoader(data, batch_size=args.batch_size, sampler=train_sampler)
    torch.manual_seed(0)
    net = nn.Linear(21, 1)
    if args.distributed:
        net = DDP(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for epoch in range(args.start_epoch, args.epochs):
        if args.distributed:
            train_sampler.set_epoch(epoch)
        for wave, total in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(wave), total).backward()
            optimizer.step()
    if args.distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=21)
    parser.add_argument("--start-epoch", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=5)
    main(parser.parse_args())
