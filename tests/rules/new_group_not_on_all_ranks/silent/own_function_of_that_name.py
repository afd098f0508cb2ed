# silent: new_group is a function of the project that sorts plots of land, and has nothing to do with processes
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def new_group(plots):
    return {"plots": list(plots), "mean": sum(plots) / len(plots)}


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(3, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(50):
        x = torch.rand(10, 3)
        loss = (model(x).squeeze(1) - x.sum(1)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if rank == 0:
        group = new_group([1.5, 2.5, 4.0])
        with torch.no_grad():
            print(model.module(torch.tensor([group["plots"]])).item(), group["mean"])
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
