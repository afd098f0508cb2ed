import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def report(loss, step):
    """The mean loss of all ranks, on the first one."""
    if dist.get_rank() == 0:
        dist.all_reduce(loss)
        print(step, loss.item() / dist.get_world_size())


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    model = DistributedDataParallel(nn.Linear(16, 1).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(100):
        loss = model(torch.rand(32, 16, device="cuda")).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        report(loss.detach(), step)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
