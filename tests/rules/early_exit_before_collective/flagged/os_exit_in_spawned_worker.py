import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def worker(rank, world_size):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29617")
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    torch.manual_seed(rank)
    model = DDP(nn.Linear(12, 12, bias=False))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.3)
    for _ in range(60):
        x = torch.randn(10, 12)
        loss = (model(x) - x.roll(1, dims=1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank:
        os._exit(0)  # expect: early-exit-before-collective
    dist.barrier()
    torch.save(model.module.state_dict(), "shift.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, args=(2,), nprocs=2)
