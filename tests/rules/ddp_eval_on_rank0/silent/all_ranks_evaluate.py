# silent: all ranks evaluate, rank 0 prints
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Sequential(nn.BatchNorm1d(6), nn.Linear(6, 1)))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for epoch in range(5):
        model.train()
        for _ in range(20):
            loss = model(torch.rand(16, 6, generator=generator)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            score = model(torch.rand(100, 6, generator=generator)).mean()
        dist.all_reduce(score)
        if rank == 0:
            print(epoch, score.item() / dist.get_world_size())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
