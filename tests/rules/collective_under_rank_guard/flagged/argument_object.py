import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default="runs/orchard")
    parser.add_argument("--steps", type=int, default=400)
    args = parser.parse_args()
    args.rank = int(os.environ["RANK"])
    args.world_size = int(os.environ["WORLD_SIZE"])
    return args


def save(model, args, name):
    if args.rank == 0:
        os.makedirs(args.out, exist_ok=True)
        torch.save(model.module.state_dict(), os.path.join(args.out, name))
        dist.barrier()  # expect: collective-under-rank-guard


def main():
    args = parse()
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(20, 3))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(args.rank)
    for step in range(args.steps):
        leaves = torch.rand(24, 20, generator=generator)
        loss = nn.functional.cross_entropy(model(leaves), leaves[:, :3].argmin(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    save(model, args, "last.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
