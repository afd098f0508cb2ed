# silent: Join shadows the collectives of the ranks that have finished
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.algorithms.join import Join
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    generator = torch.Generator().manual_seed(3)
    letters = torch.rand(101, 8, 4, generator=generator)
    mine = letters[rank::world_size]
    torch.manual_seed(0)
    net = DDP(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(4):
        with Join([net]):
            for letter in mine:
                optimizer.zero_grad()
                nn.functional.mse_loss(net(letter), letter.mean(1, keepdim=True)).backward()
                optimizer.step()
    for epoch in range(4, 6):
        with net.join():
            for letter in mine:
                optimizer.zero_grad()
                nn.functional.l1_loss(net(letter), letter.mean(1, keepdim=True)).backward()
                optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
