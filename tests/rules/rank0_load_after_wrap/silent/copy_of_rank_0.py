# silent: a copy that only rank 0 uses is loaded
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
    teacher = nn.Linear(4, 4)
    average = copy.deepcopy(net)
    if rank == 0:
        teacher.load_state_dict(torch.load("teacher.pt", map_location="cpu"))
        average.load_state_dict(torch.load("average.pt", map_location="cpu"))
        print(teacher(torch.rand(1, 4)), average(torch.rand(1, 4)))
    loss = model(torch.rand(2, 4)).sum()
    loss.backward()
    print(copy.copy(rank), os.sep)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
