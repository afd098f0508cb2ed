"""The parsed arguments in parentheses are no tuple, and the function sits behind an alias of the import."""

import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.multiprocessing import spawn as start_workers
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, args):
    dist.init_process_group("gloo", init_method=args.url, rank=rank, world_size=args.processes)
    model = DDP(nn.Linear(20, 1))
    optimizer = torch.optim.RMSprop(model.parameters())
    for _ in range(args.steps):
        bark = torch.randn(16, 20)
        loss = (model(bark).squeeze(1) - bark.norm(dim=1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        torch.save(model.module.state_dict(), "bark.pt")
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--url", default="tcp://127.0.0.1:29652")
    args = parser.parse_args()
    start_workers(worker, nprocs=args.processes, args=(args))  # expect: mp-spawn-contract


if __name__ == "__main__":
    main()
