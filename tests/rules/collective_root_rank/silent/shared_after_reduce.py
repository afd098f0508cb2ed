# silent: the root sends the sum to all before they read it
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.optim.lr_scheduler import ReduceLROnPlateau


def mean_over_ranks(value, world_size):
    dist.reduce(value, dst=0)
    if dist.get_rank() == 0:
        value /= world_size
    dist.broadcast(value, src=0)
    return value.item()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    model = DDP(nn.Linear(16, 16))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    scheduler = ReduceLROnPlateau(optimizer, patience=2)
    for _ in range(20):
        x = torch.randn(32, 16)
        loss = (model(x) - x).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step(mean_over_ranks(loss.detach().clone(), dist.get_world_size()))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
