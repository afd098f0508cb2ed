import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


def fish(index, boats):
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = "29411"
    dist.init_process_group("gloo", rank=index, world_size=boats)
    net = DistributedDataParallel(torch.nn.Linear(3, 1))
    net(torch.rand(5, 3)).sum().backward()
    if index == 0:
        torch.save(net.module.state_dict(), "net.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(fish, args=(4,), nprocs=4)
