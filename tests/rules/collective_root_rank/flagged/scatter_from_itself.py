import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def share(args, table):
    """An equal part of the table, which rank 0 holds, for each rank."""
    part = torch.empty(args.rows, 6)
    parts = list(table.split(args.rows)) if args.rank == 0 else None
    dist.scatter(part, parts, src=args.rank)  # expect: collective-root-rank
    return part


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=512)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    args.rank, args.world_size = dist.get_rank(), dist.get_world_size()
    table = torch.randn(args.rows * args.world_size, 6) if args.rank == 0 else None
    part = share(args, table)
    model = DDP(nn.Linear(6, 6))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(10):
        for rows in part.split(64):
            loss = (model(rows) - rows.cumsum(1)).abs().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
