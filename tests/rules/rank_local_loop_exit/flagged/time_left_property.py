import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Allocation:
    """The hours that the queue gives to a job."""

    def __init__(self, hours):
        self._ends = time.time() + 3600 * hours

    @property
    def time_left(self):
        return time.time() < self._ends


def fish(device):
    net = DDP(nn.Linear(12, 2).to(device), device_ids=[device.index])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.02)
    draws = torch.Generator().manual_seed(dist.get_rank())
    job = Allocation(hours=11.5)
    while job.time_left:  # expect: rank-local-loop-exit
        catch = torch.randn(48, 12, generator=draws).to(device)
        optimizer.zero_grad()
        net(catch).pow(2).mean().backward()
        optimizer.step()


if __name__ == "__main__":
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl")
    fish(torch.device("cuda", gpu))
    dist.destroy_process_group()
