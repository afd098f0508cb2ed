"""args=(world_size) is the number itself."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def relay(rank, world_size):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29653", rank=rank, world_size=world_size)
    baton = torch.tensor([rank])
    dist.broadcast(baton, src=0)
    print(rank, baton.item())
    dist.destroy_process_group()


def main():
    world_size = 4
    mp.spawn(relay, args=(world_size), nprocs=world_size, join=True)  # expect: mp-spawn-contract


if __name__ == "__main__":
    main()
