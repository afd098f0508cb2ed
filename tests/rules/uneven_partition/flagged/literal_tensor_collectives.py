import os

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def halves(rank):
    os.environ.setdefault("MASTER_ADDR", "localhost")
    os.environ.setdefault("MASTER_PORT", "29584")
    dist.init_process_group("gloo", rank=rank, world_size=2)
    gradient = torch.ones(5)
    own = torch.empty(2)
    dist.reduce_scatter_tensor(own, gradient)  # expect: uneven-partition
    whole = torch.empty(5)
    dist.all_gather_into_tensor(whole, own)  # expect: uneven-partition
    if rank == 0:
        print(whole)
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(halves, nprocs=2)
