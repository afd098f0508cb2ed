# silent: the order depends on a setting that is the same everywhere, not on the rank
import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def sync(args, scale, counts):
    if args.scale_first:
        dist.broadcast(scale, src=0)
        dist.all_reduce(counts)
    else:
        dist.all_reduce(counts)
        dist.broadcast(scale, src=0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale-first", action="store_true")
    args = parser.parse_args()
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(6, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scale, counts = torch.ones(1), torch.zeros(1)
    for _ in range(30):
        x = torch.randn(10, 6)
        loss = (model(x).squeeze(1) * scale - x[:, 2]).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        counts += len(x)
        if dist.get_rank() == 0:
            scale *= 0.99
    sync(args, scale, counts)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
