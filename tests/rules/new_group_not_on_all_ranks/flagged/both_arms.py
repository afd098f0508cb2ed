import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, world_size):
    os.environ["MASTER_ADDR"], os.environ["MASTER_PORT"] = "127.0.0.1", "29655"
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    if rank < 2:
        group = dist.new_group([0, 1])  # expect: new-group-not-on-all-ranks
        net = nn.Linear(8, 2)
    else:
        group = dist.new_group([2, 3])
        net = nn.Linear(8, 4)
    torch.manual_seed(rank)
    model = DDP(net, process_group=group)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(60):
        x = torch.randn(16, 8)
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(4,), nprocs=4)
