# silent: what rank 0 set is overwritten on all ranks before anybody reads it
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(16, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    stop, best, waited = False, float("inf"), 0
    for epoch in range(60):
        x = torch.randn(64, 16)
        loss = nn.functional.cross_entropy(model(x), (x[:, 0] > 0).long())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if rank == 0:
            stop = epoch > 0 and loss.item() > 10
            if stop:
                print("the loss of rank 0 is high")
        mean = loss.detach().clone()
        dist.all_reduce(mean)
        value = mean.item() / world_size
        waited = 0 if value < best else waited + 1
        best = min(best, value)
        stop = waited >= 5
        if stop:
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
