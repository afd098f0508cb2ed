"""mp.Process knows kwargs, mp.spawn does not."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def sort_shard(rank, world_size, length=1000):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29656", rank=rank, world_size=world_size)
    values = torch.rand(length, generator=torch.Generator().manual_seed(rank)).sort().values
    lowest = values[:1].clone()
    dist.all_reduce(lowest, op=dist.ReduceOp.MIN)
    if rank == 0:
        print(lowest.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(sort_shard, args=(2,), kwargs={"length": 500}, nprocs=2)  # expect: mp-spawn-contract
