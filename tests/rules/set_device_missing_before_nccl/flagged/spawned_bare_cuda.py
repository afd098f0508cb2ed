"""A spawned worker moves its tensor with a bare .cuda()."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def worker(rank, world_size, address):
    dist.init_process_group("nccl", init_method=address, rank=rank, world_size=world_size)
    votes = torch.eye(world_size)[rank].cuda()  # expect: set-device-missing-before-nccl
    dist.all_reduce(votes)
    if rank == 0:
        print(votes.tolist())
    dist.destroy_process_group()


def main():
    count = torch.cuda.device_count()
    mp.spawn(worker, args=(count, "tcp://127.0.0.1:29680"), nprocs=count)


if __name__ == "__main__":
    main()
