import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def make_rings(world_size, length):
    """The ring this rank belongs to."""
    rank = dist.get_rank()
    for first in range(0, world_size, length):
        ranks = list(range(first, first + length))
        if rank in ranks:
            return dist.new_group(ranks)  # expect: new-group-not-on-all-ranks
    raise ValueError(f"{world_size} ranks do not divide into rings of {length}")


def main():
    dist.init_process_group("gloo")
    ring = make_rings(dist.get_world_size(), 2)
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(5, 5))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(50):
        x = torch.randn(9, 5)
        loss = (model(x) - x.sin()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    spread = loss.detach()
    dist.all_reduce(spread, op=dist.ReduceOp.MAX, group=ring)
    print(dist.get_rank(), spread.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
