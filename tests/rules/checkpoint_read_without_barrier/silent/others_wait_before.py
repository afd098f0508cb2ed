# silent: the other ranks wait before, and rank 0 comes to them when it has written
import torch
import torch.distributed as dist
from torch import nn


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    net = nn.Linear(4, 4)
    if rank != 0:
        dist.barrier()
    if rank == 0:
        torch.save(net.state_dict(), "init.pt")
    net.load_state_dict(torch.load("init.pt", map_location="cpu"))
    if rank == 0:
        dist.barrier()
    print(net)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
