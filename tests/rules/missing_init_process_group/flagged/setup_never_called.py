"""setup() was written and then forgotten."""

import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel


def setup(backend="gloo"):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29544")
    dist.init_process_group(backend)


def cleanup():
    dist.destroy_process_group()


def main():
    net = nn.Sequential(nn.Linear(12, 6), nn.Tanh(), nn.Linear(6, 1))
    model = DistributedDataParallel(net)  # expect: missing-init-process-group
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    for _ in range(120):
        snow = torch.randn(20, 12)
        loss = (model(snow) - snow[:, :1]).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print("final loss", loss.item())
    cleanup()


if __name__ == "__main__":
    main()
