import argparse
import math

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def block(items, args):
    per = math.ceil(len(items) / args.world_size)
    return items[args.rank * per : (args.rank + 1) * per]  # expect: uneven-partition


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    args.rank, args.world_size = dist.get_rank(), dist.get_world_size()
    generator = torch.Generator().manual_seed(9)
    scans = [torch.rand(40, 5, generator=generator) for _ in range(205)]
    torch.manual_seed(0)
    net = DDP(nn.Linear(5, 1))
    optimizer = torch.optim.Adam(net.parameters())
    mine = block(scans, args)
    for epoch in range(args.epochs):
        for step, scan in enumerate(mine):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(scan), scan.mean(1, keepdim=True))
            loss.backward()
            optimizer.step()
            if step % 10 == 0 and args.rank == 0:
                print(epoch, step, loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
