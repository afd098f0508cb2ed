import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

TEAMS = [[0, 1, 2, 3], [0, 2], [1, 3]]


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    mine = [dist.new_group(team) for team in TEAMS if rank in team]  # expect: new-group-not-on-all-ranks
    torch.manual_seed(rank)
    model = DDP(nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 3)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(200):
        x = torch.randn(12, 3)
        loss = (model(x) - x.flip(1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    for group in mine:
        best = loss.detach().clone()
        dist.all_reduce(best, op=dist.ReduceOp.MIN, group=group)
        print(rank, dist.get_world_size(group), best.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
