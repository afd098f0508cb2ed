# silent: a single process is started
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(index):
    print(index, os.environ["RANK"])
    dist.init_process_group("gloo")
    print(torch.ones(1))
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(worker, nprocs=1)
