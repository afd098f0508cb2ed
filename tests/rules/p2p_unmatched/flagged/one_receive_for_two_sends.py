import torch
import torch.distributed as dist
from torch import nn


def exchange(rank, weight, bias):
    if rank == 0:
        dist.send(weight, dst=1)
        dist.send(bias, dst=1)  # expect: p2p-unmatched
    elif rank == 1:
        dist.recv(weight, src=0)
    dist.barrier()


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    layer = nn.Linear(20, 20)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    for _ in range(100):
        x = torch.randn(8, 20)
        loss = (layer(x) - x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    exchange(rank, layer.weight.detach(), layer.bias.detach())
    print(rank, layer.weight.norm().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
