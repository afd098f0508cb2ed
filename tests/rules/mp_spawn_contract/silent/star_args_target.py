# silent: the target takes any number of arguments
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def entry(*args):
    rank, world_size, rest = args[0], args[1], args[2:]
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29640", rank=rank, world_size=world_size)
    fit(rank, *rest)
    dist.destroy_process_group()


def fit(rank, width, steps, *unused, **options):
    model = DistributedDataParallel(nn.Linear(width, width))
    optimizer = torch.optim.SGD(model.parameters(), lr=options.get("lr", 0.1))
    for _ in range(steps):
        clay = torch.randn(8, width)
        loss = (model(clay) - clay.sort(dim=1).values).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        print(loss.item())


def tail(rank, *sizes):
    print(rank, sum(sizes))


if __name__ == "__main__":
    mp.spawn(entry, args=(2, 6, 30), nprocs=2)
    mp.spawn(tail, args=(1, 2, 3, 4), nprocs=2)
