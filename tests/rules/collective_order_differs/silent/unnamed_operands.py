# silent: operands without a name, of equal shape and in the same order of kinds
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def fill(rank, world_size, row):
    rows = [torch.zeros_like(row) for _ in range(world_size)]
    if rank == 0:
        dist.all_gather(rows, row.clone())
        dist.all_reduce(torch.ones(1))
    else:
        dist.all_gather(rows, row * 1.0)
        dist.all_reduce(torch.zeros(1))
    return torch.stack(rows)


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(6, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(40):
        x = torch.randn(20, 6)
        y = model(x)
        loss = (y - x[:, 3:]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        table = fill(rank, world_size, y.detach().mean(0))
        if rank == 0:
            print(table.std(0).tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
