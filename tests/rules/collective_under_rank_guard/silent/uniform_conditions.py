# silent: the conditions have the same value on all ranks: number of processes, whether there is a group, a flag
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def total(value):
    if dist.is_initialized():
        dist.all_reduce(value)
    return value


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    args.distributed = int(os.environ.get("WORLD_SIZE", "1")) > 1
    world_size, rank = 1, 0
    if args.distributed:
        dist.init_process_group("gloo")
        world_size, rank = dist.get_world_size(), dist.get_rank()
    model = nn.Linear(5, 1)
    if args.distributed:
        model = DDP(model)
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for step in range(args.steps):
        loss = model(torch.rand(20, 5, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if args.check and step % 10 == 0:
            mean = total(loss.detach().clone()) / world_size
            if rank == 0:
                print(step, mean.item())
    if world_size > 1:
        dist.barrier()
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
