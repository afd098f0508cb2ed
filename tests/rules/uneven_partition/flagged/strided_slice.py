import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    generator = torch.Generator().manual_seed(1)
    samples = torch.rand(509, 16, 7, generator=generator)
    mine = samples[rank::world_size]  # expect: uneven-partition
    torch.manual_seed(0)
    net = DDP(nn.Linear(7, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(4):
        for sample in mine:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(sample), sample.sum(1, keepdim=True)).backward()
            optimizer.step()
        if rank == 0:
            print("epoch", epoch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
