# silent: the list is cut to a multiple of the world size before it is dealt out
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def deal(items, rank, world_size):
    remainder = len(items) % world_size
    if remainder:
        items = items[:-remainder]
    return items[rank::world_size]


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    generator = torch.Generator().manual_seed(4)
    ponds = list(torch.rand(217, 16, 6, generator=generator))
    torch.manual_seed(0)
    net = DDP(nn.Linear(6, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(5):
        for pond in deal(ponds, rank, world_size):
            optimizer.zero_grad()
            nn.functional.mse_loss(net(pond), pond.sum(1, keepdim=True)).backward()
            optimizer.step()
        if rank == 0:
            print("epoch", epoch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
