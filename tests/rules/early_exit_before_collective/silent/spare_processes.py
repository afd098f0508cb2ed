# silent: the processes that leave never become members of the group
import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--members", type=int, default=4)
    args = parser.parse_args()
    place = int(os.environ["SLURM_PROCID"])
    if place >= args.members:
        print(f"task {place} is a spare and has nothing to do")
        return
    dist.init_process_group("gloo", init_method="env://", rank=place, world_size=args.members)
    torch.manual_seed(place)
    model = DDP(nn.Linear(5, 5))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(90):
        x = torch.randn(8, 5)
        loss = (model(x) - x.exp()).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
