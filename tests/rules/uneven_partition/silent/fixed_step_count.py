# silent: shares differ in length, but every rank makes the same number of steps
import itertools

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

STEPS = 300


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    generator = torch.Generator().manual_seed(6)
    songs = torch.rand(157, 30, 10, generator=generator)
    mine = itertools.cycle(songs[rank::world_size])
    torch.manual_seed(0)
    net = DDP(nn.Linear(10, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for step in range(STEPS):
        song = next(mine)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(song), song.mean(1, keepdim=True))
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            average = loss.detach() / world_size
            dist.all_reduce(average)
            if rank == 0:
                print(step, average.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
