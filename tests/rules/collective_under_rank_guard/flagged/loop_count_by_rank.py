import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Linear(16, 16))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(rank)
    for _ in range(64):
        tiles = torch.rand(8, 16, generator=generator)
        loss = (model(tiles) - tiles).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    rounds = 2 if rank == 0 else 0
    for index in range(rounds):
        check = torch.tensor([float(index)])
        dist.all_reduce(check)  # expect: collective-under-rank-guard
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
