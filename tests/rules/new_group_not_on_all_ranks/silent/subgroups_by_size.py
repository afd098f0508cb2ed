# silent: new_subgroups makes the groups of all ranks on every rank
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    mine, _ = dist.new_subgroups(group_size=2)
    columns = [[r for r in range(world_size) if r % 2 == column] for column in (0, 1)]
    column, _ = dist.new_subgroups_by_enumeration(columns)
    torch.manual_seed(rank)
    model = DDP(nn.Linear(4, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(30):
        x = torch.randn(6, 4)
        loss = (model(x) - x).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    score = loss.detach()
    dist.all_reduce(score, group=mine)
    dist.all_reduce(score, group=column)
    print(rank, score.item() / 4)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
