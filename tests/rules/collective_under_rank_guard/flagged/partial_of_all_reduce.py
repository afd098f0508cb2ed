from functools import partial

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

take_maximum = partial(dist.all_reduce, op=dist.ReduceOp.MAX)


def main():
    dist.init_process_group("gloo")
    model = DDP(nn.Linear(3, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    generator = torch.Generator().manual_seed(dist.get_rank())
    peak = torch.zeros(1)
    for _ in range(90):
        gusts = torch.rand(6, 3, generator=generator)
        loss = (model(gusts) - gusts.cumsum(1)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        peak = torch.maximum(peak, gusts.max().reshape(1))
    if dist.get_rank() == 0:
        take_maximum(peak)  # expect: collective-under-rank-guard
        print("strongest gust", peak.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
