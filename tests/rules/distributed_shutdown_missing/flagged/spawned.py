import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def setup(rank, world_size):
    os.environ["MASTER_ADDR"] = "localhost"
    os.environ["MASTER_PORT"] = "12355"
    dist.init_process_group("gloo", rank=rank, world_size=world_size)  # expect: distributed-shutdown-missing


def worker(rank, world_size):
    setup(rank, world_size)
    value = torch.ones(1)
    dist.all_reduce(value)
    print(value)


if __name__ == "__main__":
    mp.spawn(worker, args=(2,), nprocs=2)
