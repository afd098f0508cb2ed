"""Averages the gradients of all processes around a ring, piece by piece."""

import argparse

import torch
import torch.distributed as dist
from torch import nn


def ring_sum(tensor):
    rank, world = dist.get_rank(), dist.get_world_size()
    left, right = (rank - 1) % world, (rank + 1) % world
    total = tensor.clone()
    outgoing = tensor.clone()
    for _ in range(world - 1):
        incoming = torch.empty_like(outgoing)
        sending = dist.isend(outgoing, dst=right)
        receiving = dist.irecv(incoming, src=left)  # error: [async-work-not-waited]
        total += incoming
        sending.wait()
        outgoing = incoming
    return total


def average_gradients(model):
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad.copy_(ring_sum(parameter.grad) / dist.get_world_size())


def share_steps(steps):
    count = torch.tensor([steps])
    work = dist.broadcast(count, src=0, async_op=True)  # error: [async-work-not-waited]
    return int(count.item())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    generator = torch.Generator().manual_seed(1 + dist.get_rank())
    for _ in range(share_steps(args.steps)):
        inputs = torch.randn(32, 8, generator=generator)
        loss = model(inputs).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        average_gradients(model)
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
