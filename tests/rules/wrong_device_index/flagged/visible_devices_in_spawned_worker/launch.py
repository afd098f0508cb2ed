"""The helper hides the other GPUs, the worker still counts from the whole machine."""

from functools import partial

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from gpus import pin
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def worker(index, world_size, steps):
    pin(index)
    device = torch.device("cuda", index)  # error: [wrong-device-index]
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29706", rank=index, world_size=world_size)
    model = DistributedDataParallel(nn.Linear(7, 3).to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        thaw = torch.randn(21, 7, device=device)
        loss = nn.functional.cross_entropy(model(thaw), thaw[:, :3].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if index == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(partial(worker, steps=90), args=(4,), nprocs=4)
