import itertools
import os
from time import monotonic

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

MINUTES = int(os.environ.get("MINUTES", "50"))


def batches(device):
    generator = torch.Generator(device="cpu").manual_seed(1000 + dist.get_rank())
    for _ in itertools.count():
        x = torch.randn(32, 16, generator=generator)
        yield x.to(device), x.sum(1).to(device)


def main():
    dist.init_process_group(backend="gloo")
    device = torch.device("cpu")
    model = DistributedDataParallel(nn.Linear(16, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    feed = batches(device)
    deadline = monotonic() + MINUTES * 60
    while monotonic() < deadline:  # expect: rank-local-loop-exit
        x, y = next(feed)
        optimizer.zero_grad()
        loss = (model(x).squeeze(1) - y).abs().mean()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
