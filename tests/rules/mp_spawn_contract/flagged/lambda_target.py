"""A lambda cannot be sent to a spawned process."""

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def tune(rank, world_size, temperature):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29657", rank=rank, world_size=world_size)
    energy = torch.tensor([temperature * (rank + 1)])
    dist.all_reduce(energy)
    if rank == 0:
        print(energy.item())
    dist.destroy_process_group()


def main(world_size=2):
    temperature = 0.7
    mp.spawn(lambda rank: tune(rank, world_size, temperature), nprocs=world_size)  # expect: mp-spawn-contract


if __name__ == "__main__":
    main()
