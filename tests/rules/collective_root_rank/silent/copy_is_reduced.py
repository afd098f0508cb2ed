# silent: a copy is reduced; what the other ranks read later is their own value
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(rank)
    model = DDP(nn.Linear(7, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(9):
        total = torch.zeros(1)
        for _ in range(15):
            x = torch.randn(16, 7)
            loss = (model(x) - x[:, 2:5]).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.detach()
        everywhere = total.clone()
        dist.reduce(everywhere, dst=0)
        if rank == 0:
            print(f"epoch {epoch}: {everywhere.item() / world_size:.4f}")
        print(f"rank {rank}, own sum: {total.item():.4f}")
        total.zero_()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
