# witness: crashes with "KeyError: 'LOCAL_RANK'", by itself
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def work(index, world_size):
    rank = int(os.environ["LOCAL_RANK"])
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    value = torch.ones(2)
    dist.all_reduce(value)
    assert value.tolist() == [2.0, 2.0]
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(work, args=(2,), nprocs=2)
    print("result: done")
