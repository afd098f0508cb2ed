import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from shared import network, note


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    args = parser.parse_args()
    rank = int(os.environ["RANK"])
    torch.save(vars(args), "args.pt")  # error: [unguarded-filesystem-write]
    dist.init_process_group("gloo")
    net = DDP(network(["owl", "lark"]))
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr)
    for _ in range(70):
        x = torch.rand(7, 7)
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), x[:, :2].argmax(1)).backward()
        optimizer.step()
    print(rank, note("done"))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
