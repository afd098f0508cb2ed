# silent: the tags agree, and a receive without a source takes a message from anyone
import torch
import torch.distributed as dist
from torch import nn

WEIGHT, BIAS = 7, 8


def to_rank_one(rank, layer):
    weight, bias = layer.weight.detach(), layer.bias.detach()
    if rank == 0:
        dist.send(weight, dst=1, tag=WEIGHT)
        dist.send(bias, dst=1, tag=BIAS)
    elif rank == 1:
        dist.recv(weight, src=0, tag=7)
        dist.recv(bias, src=0, tag=8)


def first_come(rank, world_size, mark):
    if rank == 0:
        for _ in range(world_size - 1):
            box = torch.zeros(1)
            sender = dist.recv(box)
            print("rank", sender, "has", box.item())
    else:
        dist.send(mark, dst=0)


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(rank)
    layer = nn.Linear(5, 5)
    to_rank_one(rank, layer)
    first_come(rank, world_size, layer.weight.detach().norm().reshape(1))
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
