# silent: each use of the group is behind a test that a group exists
import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def log(message):
    if not dist.is_initialized() or dist.get_rank() == 0:
        print(message)


def average(value):
    if dist.is_initialized() and dist.get_world_size() > 1:
        dist.all_reduce(value)
        value = value / dist.get_world_size()
    return value


def wait_for_everyone():
    if not dist.is_initialized():
        return
    dist.barrier()


def build(width):
    model = nn.Sequential(nn.Linear(6, width), nn.ReLU(), nn.Linear(width, 1))
    if dist.is_initialized():
        model = DistributedDataParallel(model)
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=50)
    args = parser.parse_args()
    model = build(16)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(args.steps):
        batch = torch.randn(32, 6)
        loss = (model(batch).squeeze(-1) - batch.sum(dim=1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            log(f"step {step}: {average(loss.detach()).item():.4f}")
    wait_for_everyone()


if __name__ == "__main__":
    main()
