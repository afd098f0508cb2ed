"""A dict in parentheses is unpacked into its keys."""

import torch
import torch.distributed as dist
from torch import multiprocessing as mp


def evaluate(rank, settings):
    dist.init_process_group("gloo", init_method=settings["url"], rank=rank, world_size=settings["size"])
    score = torch.rand(1, generator=torch.Generator().manual_seed(rank))
    dist.all_reduce(score, op=dist.ReduceOp.MAX)
    if rank == 0:
        print("best", score.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    settings = {"url": "tcp://127.0.0.1:29651", "size": 3}
    mp.spawn(evaluate, args=(settings), nprocs=3)  # expect: mp-spawn-contract
