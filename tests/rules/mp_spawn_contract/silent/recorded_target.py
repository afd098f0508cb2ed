# silent: look-alikes, a target behind decorators, and Process, which adds no index
import functools

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.elastic.multiprocessing.errors import record


def in_group(function):
    """Run `function(...)` inside a process group."""

    @functools.wraps(function)
    def wrapper(rank, world_size, port):
        dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=world_size)
        try:
            return function(dist.get_rank())
        finally:
            dist.destroy_process_group()

    return wrapper


@in_group
def count(rank):
    total = torch.ones(1)
    dist.all_reduce(total)
    if rank == 0:
        print(total.item())


@record
def plain(index, text):
    print(index, text)


def job(text):
    print(text)


def main():
    mp.spawn(count, args=(2, 29647), nprocs=2)
    mp.spawn(plain, args=("hello",), nprocs=2)
    helper = mp.Process(target=job, args=("once",), kwargs={})
    helper.start()
    helper.join()


if __name__ == "__main__":
    main()
