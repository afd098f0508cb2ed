import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Linear(5, 5))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    moved = torch.zeros(5)
    for _ in range(80):
        herd = torch.rand(30, 5, generator=generator)
        loss = (model(herd) - herd.roll(1, 1)).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        moved += herd.sum(0)
    if rank in (0, 1):
        dist.all_reduce(moved)  # expect: collective-under-rank-guard
        print(rank, moved.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
