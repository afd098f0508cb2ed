import argparse

import torch
import torch.distributed
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset


def train(args):
    distributed = args.world_size > 1
    if distributed:
        torch.distributed.init_process_group('gloo', rank=args.rank, world_size=args.world_size)
    torch.manual_seed(args.seed)
    rain = torch.rand(9000, 7, generator=torch.Generator().manual_seed(3))
    rain_set, storm_set = TensorDataset(rain), TensorDataset(rain.square())
    rain_loader = DataLoader(  # error: [missing-distributed-sampler]
        rain_set,
        batch_size=90,
        shuffle=True,  # mixed anew in each epoch
        drop_last=True  # the last one is small
    )
    storms = {'loader': DataLoader(storm_set, 90, True)}  # error: [missing-distributed-sampler]
    net = nn.Linear(7, 7)
    if distributed:
        net = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(args.epochs):
        for (drops,) in rain_loader:
            optimizer.zero_grad(); nn.functional.mse_loss(net(drops), drops).backward(); optimizer.step()
    turn = 0
    while turn < args.epochs:  # once more, with storms
        for (drops,) in storms['loader']:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(drops), drops).backward()
            optimizer.step()
        turn += 1


if __name__ == '__main__':
    parser = argparse.ArgumentParser()
    parser.add_argument('--rank', type=int, default=0)
    parser.add_argument('--world-size', type=int, default=1)
    parser.add_argument('--epochs', type=int, default=3)
    parser.add_argument('--seed', type=int, default=0)
    train(parser.parse_args())
    torch.distributed.destroy_process_group()
