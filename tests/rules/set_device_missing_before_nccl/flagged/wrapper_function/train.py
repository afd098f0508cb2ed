"""A small helper of another file moves models and batches, always to the current device."""

import argparse

import torch
import torch.distributed as dist
from moving import to_gpu
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=150)
    args = parser.parse_args()
    dist.init_process_group(backend=dist.Backend.NCCL)
    model = DistributedDataParallel(to_gpu(nn.Linear(11, 3)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(args.steps):
        shell = to_gpu(torch.randn(22, 11))
        loss = nn.functional.cross_entropy(model(shell), shell[:, :3].argmax(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        print(loss.item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
