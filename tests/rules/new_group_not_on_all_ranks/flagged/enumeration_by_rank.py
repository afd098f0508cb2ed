import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def columns(rank, world_size, width):
    """Ranks with the same place in their row."""
    column = rank % width
    return [[r for r in range(world_size) if r % width == column]]


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    mine, _ = dist.new_subgroups_by_enumeration(columns(rank, world_size, 2))  # expect: new-group-not-on-all-ranks
    torch.manual_seed(rank)
    model = DDP(nn.Linear(6, 6))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(40):
        x = torch.randn(7, 6)
        loss = (model(x) - x.abs()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    score = loss.detach()
    dist.all_reduce(score, group=mine)
    print(rank, score.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
