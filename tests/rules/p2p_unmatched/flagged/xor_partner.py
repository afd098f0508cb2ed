import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def butterfly(rank, value):
    """The larger of the values of a pair of ranks."""
    other = torch.empty_like(value)
    dist.send(value, rank ^ 1)  # expect: p2p-unmatched
    dist.recv(other, rank ^ 1)
    return torch.maximum(value, other)


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(5, 5))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(60):
        x = torch.randn(10, 5)
        loss = (model(x) - x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(rank, butterfly(rank, loss.detach()).item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
