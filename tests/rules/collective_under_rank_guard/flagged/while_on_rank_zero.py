import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    model = DDP(nn.Linear(4, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    generator = torch.Generator().manual_seed(rank)
    drift = torch.zeros(1)
    for _ in range(50):
        buoys = torch.rand(12, 4, generator=generator)
        loss = model(buoys).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        drift += loss.detach()
    rounds = 0
    while rank == 0 and rounds < 3:
        dist.all_reduce(drift)  # expect: collective-under-rank-guard
        print("round", rounds, drift.item())
        rounds += 1
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
