# witness: crashes
import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def work(rank, world_size):
    # each process of the job starts a small job of its own
    os.environ["MASTER_PORT"] = str(int(os.environ["MASTER_PORT"]) + 1 + int(os.environ["RANK"]))
    dist.init_process_group("gloo", rank=rank, world_size=world_size)
    value = torch.ones(2)
    dist.all_reduce(value)
    assert value.tolist() == [2.0, 2.0]
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(work, args=(2), nprocs=2)
    print("result: done")
