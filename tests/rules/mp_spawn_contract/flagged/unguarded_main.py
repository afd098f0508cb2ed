"""main() starts the processes and is itself called at the top level."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def job(rank, size, url):
    dist.init_process_group("gloo", init_method=url, rank=rank, world_size=size)
    count = torch.tensor([1 if rank % 2 else 0])
    dist.all_reduce(count)
    if rank == 0:
        print("odd ranks:", count.item())
    dist.destroy_process_group()


def main():
    size = 4
    mp.spawn(job, args=(size, "tcp://127.0.0.1:29660"), nprocs=size, join=True)  # expect: mp-spawn-contract


main()
