"""world_size is handed over twice, once as the rank; the worker is made with partial."""

import functools

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def connect(port, size):
    address = f"tcp://127.0.0.1:{port}"
    dist.init_process_group("gloo", init_method=address, rank=size, world_size=size)  # expect: init-rank-world-size


def vote(rank, port, world_size):
    connect(port, world_size)
    ballot = torch.zeros(3)
    ballot[rank % 3] = 1
    dist.all_reduce(ballot)
    print(rank, ballot.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(functools.partial(vote, port=29637, world_size=3), nprocs=3)
