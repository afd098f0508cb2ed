# silent: isend and irecv do not block, so all may start both at once
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def swap(rank, mine):
    peer = 1 - rank
    theirs = torch.empty_like(mine)
    outgoing = dist.isend(mine, dst=peer)
    incoming = dist.irecv(theirs, src=peer)
    outgoing.wait()
    incoming.wait()
    return theirs


def shift(rank, size, mine):
    """The block of the left neighbour; a started send does not stop the blocking receive."""
    left = torch.empty_like(mine)
    outgoing = dist.isend(mine, dst=(rank + 1) % size)
    dist.recv(left, src=(rank - 1) % size)
    outgoing.wait()
    return left


def main():
    dist.init_process_group("gloo")
    rank, size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(16, 16))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(40):
        x = torch.randn(32, 16)
        other = swap(rank, x) if size == 2 else shift(rank, size, x)
        loss = (model(x) - other).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
