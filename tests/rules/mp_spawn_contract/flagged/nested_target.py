"""The worker is defined inside main() to see its variables."""

import argparse

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--world-size", type=int, default=2)
    args = parser.parse_args()

    def worker(rank):
        dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29658", rank=rank, world_size=args.world_size)
        model = DistributedDataParallel(nn.Linear(7, 7))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(args.steps):
            ivy = torch.randn(14, 7)
            loss = (model(ivy) - ivy.abs()).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank == 0:
            print(loss.item())
        dist.destroy_process_group()

    mp.spawn(worker, nprocs=args.world_size, join=True)  # expect: mp-spawn-contract


if __name__ == "__main__":
    main()
