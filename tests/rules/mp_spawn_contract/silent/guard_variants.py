# silent: look-alikes, the guard written the other way round, with a further condition, and inside sys.exit
import os
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def work(rank, size, port):
    dist.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=size)
    weight = torch.tensor([1.0 / size])
    dist.all_reduce(weight)
    if rank == 0:
        print(weight.item())
    dist.destroy_process_group()


def cli(arguments):
    size = int(arguments[0]) if arguments else 2
    mp.spawn(work, args=(size, 29661), nprocs=size)
    return 0


if "__main__" == __name__ and os.environ.get("TWICE"):  # noqa: SIM300
    mp.spawn(work, args=(2, 29662), nprocs=2)

if __name__ == "__main__":
    sys.exit(cli(sys.argv[1:]))
