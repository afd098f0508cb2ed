# silent: all ranks come to the same value, whatever arm sets it
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def plan(rank):
    if rank == 0:
        print("ten warm-up rounds, then the measured ones")
        rounds, measured = 10, True
    else:
        rounds, measured = 10, True
    return rounds, measured


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    rounds, measured = plan(rank)
    torch.manual_seed(rank)
    model = DDP(nn.Linear(4, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(rounds):
        x = torch.randn(8, 4)
        loss = (model(x) - x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if measured:
        total = loss.detach()
        dist.all_reduce(total)
        if rank == 0:
            print(total.item() / dist.get_world_size())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
