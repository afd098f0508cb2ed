import json

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    rounds = 1
    if rank == 0:
        with open("plan.json") as file:
            rounds = json.load(file)["rounds"]
    torch.manual_seed(rank)
    model = DDP(nn.Linear(3, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(rounds):  # expect: rank-guarded-value-steers-collective
        x = torch.randn(24, 3)
        loss = (model(x) - x.roll(1, 1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
