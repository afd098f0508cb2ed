# silent: the flag of rank 0 reaches the others through an all_reduce
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def synchronize_flag(flag):
    value = torch.tensor(float(flag))
    dist.all_reduce(value, op=dist.ReduceOp.MAX)
    return value.item() > 0


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(8, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10000):
        x = torch.randn(16, 8)
        loss = nn.functional.cross_entropy(model(x), (x[:, 3] > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        asked = False
        if rank == 0:
            asked = os.path.exists("please_stop")
        if synchronize_flag(asked):
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
