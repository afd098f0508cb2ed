# silent: the parameters are broadcast afterwards
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
    if rank == 0:
        model.module.load_state_dict(torch.load("last.pt", map_location="cpu"))
    for parameter in model.parameters():
        dist.broadcast(parameter.data, src=0)
    loss = model(torch.rand(2, 4)).sum()
    loss.backward()
    print(copy.copy(rank), os.sep)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
