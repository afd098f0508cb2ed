import copy
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    net = nn.Linear(4, 4)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    if rank == 0:
        checkpoint = torch.load("last.pt", map_location="cpu")
        net.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])  # expect: rank0-load-after-wrap
    model = DDP(net)
    loss = model(torch.rand(2, 4)).sum()
    loss.backward()
    print(copy.copy(rank), os.sep)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
