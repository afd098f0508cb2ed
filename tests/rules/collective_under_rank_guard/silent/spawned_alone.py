# silent: the only process that is started is rank 0
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn


def work(rank):
    dist.init_process_group("gloo", init_method="tcp://127.0.0.1:29511", rank=rank, world_size=1)
    torch.manual_seed(0)
    net = nn.Linear(3, 3)
    total = net(torch.ones(2, 3)).sum().detach()
    if rank == 0:
        dist.all_reduce(total)
        print(total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(work, nprocs=1)
