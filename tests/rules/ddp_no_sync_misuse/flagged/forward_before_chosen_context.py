from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def quiet(model, last):
    return nullcontext() if last else model.no_sync()


def main():
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    draws = torch.Generator().manual_seed(dist.get_rank())
    for step in range(80):
        last = step % 4 == 3
        loss = model(torch.randn(16, 8, generator=draws)).pow(2).mean()
        with quiet(model, last):  # expect: ddp-no-sync-misuse
            loss.backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
