import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def check_cancelled(args):
    """Asks the tracker; returns whether to stop, as agreed by all ranks, and why."""
    reason = None
    if dist.get_rank() == 0 and os.path.exists(args.cancel_file):
        with open(args.cancel_file) as file:
            reason = file.read().strip() or "cancelled"
    flag = torch.tensor(float(reason is not None))
    dist.broadcast(flag, src=0)
    if flag.item() and reason is not None:  # expect: rank-guarded-value-steers-collective
        print("stopping:", reason)
        dist.barrier()
    return bool(flag.item())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cancel-file", default="cancel.txt")
    args = parser.parse_args()
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(13, 13))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(5000):
        x = torch.randn(8, 13)
        loss = (model(x) - x.sort(1).values).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 99 and check_cancelled(args):
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
