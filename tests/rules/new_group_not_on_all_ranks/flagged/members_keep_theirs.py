import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

TEAMS = [[0, 1], [2, 3]]


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    own = None
    for team in TEAMS:
        if rank in team:
            own = dist.new_group(team)  # expect: new-group-not-on-all-ranks
    model = DDP(torch.nn.Linear(3, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(20):
        loss = model(torch.rand(6, 3)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    total = loss.detach()
    dist.all_reduce(total, group=own)
    print(rank, total.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
