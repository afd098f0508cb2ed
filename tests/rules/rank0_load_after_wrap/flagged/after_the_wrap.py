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
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    if rank == 0:
        checkpoint = torch.load("last.pt", map_location="cpu")
        model.load_state_dict(checkpoint["model"])  # expect: rank0-load-after-wrap
        optimizer.load_state_dict(checkpoint["optimizer"])  # expect: rank0-load-after-wrap
        scheduler.load_state_dict(checkpoint["scheduler"])  # expect: rank0-load-after-wrap
    if not rank:
        net.load_state_dict(torch.load("best.pt", map_location="cpu"))  # expect: rank0-load-after-wrap
    loss = model(torch.rand(2, 4)).sum()
    loss.backward()
    print(copy.copy(rank), os.sep)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
