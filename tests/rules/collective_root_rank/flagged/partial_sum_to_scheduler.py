import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.optim.lr_scheduler import ReduceLROnPlateau


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(rank)
    model = DDP(nn.Sequential(nn.Linear(16, 8), nn.Tanh(), nn.Linear(8, 16)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    scheduler = ReduceLROnPlateau(optimizer, patience=2)
    for epoch in range(30):
        total = torch.zeros(1)
        for _ in range(20):
            x = torch.randn(32, 16)
            loss = (model(x) - x).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.detach()
        dist.reduce(total, dst=0)  # expect: collective-root-rank
        scheduler.step(total.item() / world_size)  # expect-related: collective-root-rank
        if rank == 0:
            print(epoch, total.item() / world_size)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
