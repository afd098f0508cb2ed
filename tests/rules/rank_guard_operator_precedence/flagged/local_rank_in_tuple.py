import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=50)
    parser.add_argument("--out", default="otters")
    args = parser.parse_args()
    args.local_rank = int(os.environ.get("LOCAL_RANK", -1))
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Sequential(nn.Linear(10, 40), nn.ReLU(), nn.Linear(40, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for step in range(1, 501):
        x = torch.rand(32, 10)
        loss = (model(x).squeeze(1) - x.var(1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        last = step == 500
        if args.local_rank in (-1, 0) and step % args.every == 0 or last:  # expect: rank-guard-operator-precedence
            with open(f"{args.out}.csv", "a") as file:
                file.write(f"{step},{loss.item():.5f}\n")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
