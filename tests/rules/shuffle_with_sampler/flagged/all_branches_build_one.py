import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, RandomSampler, TensorDataset


def main(args):
    if args.distributed:
        dist.init_process_group("gloo")
    generator = torch.Generator().manual_seed(3)
    queue = torch.rand(3300, 6, generator=generator)
    data = TensorDataset(queue, queue.cumsum(1)[:, -1:])
    if args.distributed:
        sampler = DistributedSampler(data)
    else:
        sampler = RandomSampler(data)
    loader = DataLoader(data, batch_size=args.batch_size, sampler=sampler, shuffle=True)  # expect: shuffle-with-sampler
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))
    if args.distributed:
        net = DDP(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(args.epochs):
        if args.distributed:
            sampler.set_epoch(epoch)
        for waiting, total in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(waiting), total).backward()
            optimizer.step()
    if args.distributed:
        dist.destroy_process_group()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--distributed", action="store_true")
    parser.add_argument("--batch-size", type=int, default=33)
    parser.add_argument("--epochs", type=int, default=3)
    main(parser.parse_args())
