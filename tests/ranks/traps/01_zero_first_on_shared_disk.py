import os
from contextlib import contextmanager

import torch
import torch.distributed as dist


@contextmanager
def main_process_first(rank, enabled=True, what="work"):
    """Rank 0 does the block first. Each process meets exactly one barrier."""
    if not enabled or not dist.is_initialized():
        yield
        return
    if rank != 0:
        print(f"[{rank}] waits for {what}")
        dist.barrier()
    yield
    if rank == 0:
        print(f"[{rank}] {what} finished")
        dist.barrier()


def main():
    dist.init_process_group("gloo")
    rank = int(os.environ["RANK"])
    with main_process_first(rank, what="tokenizing"):
        tokens = torch.arange(64)
    with main_process_first(rank, enabled=False):
        print("no order here")
    dist.broadcast(tokens, src=0)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
