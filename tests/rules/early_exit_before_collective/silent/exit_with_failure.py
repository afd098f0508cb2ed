# silent: a process that exits with an error code takes the job down
import os
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    folder = os.environ.get("PEAT_DATA", "peat")
    if rank == 0 and not os.path.isdir(folder):
        sys.exit(f"{folder} is no directory")
    if rank == 0 and not os.access(folder, os.R_OK):
        print("cannot read", folder, file=sys.stderr)
        sys.exit(1)
    if rank != 0 and torch.get_num_threads() < 1:
        raise SystemExit(3)
    dist.barrier()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(10, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x = torch.randn(8, 10)
        loss = (model(x) - x.sort(1).values).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
