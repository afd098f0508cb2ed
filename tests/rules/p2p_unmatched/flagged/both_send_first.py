import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def swap(rank, mine):
    """The tensor of the other rank of a pair."""
    peer = 1 - rank
    theirs = torch.empty_like(mine)
    dist.send(mine, dst=peer)  # expect: p2p-unmatched
    dist.recv(theirs, src=peer)
    return theirs


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(64, 64))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(40):
        x = torch.randn(128, 64)
        other = swap(rank, x)
        loss = (model(x) - other).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
