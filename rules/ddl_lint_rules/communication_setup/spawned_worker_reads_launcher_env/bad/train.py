"""Fit a small network to one picture, on all GPUs of this machine. Start: python train.py"""

import argparse

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from render import Painter, places
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def worker(rank, world_size, args):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl")  # error: [spawned-worker-reads-launcher-env]
    generator = torch.Generator().manual_seed(rank)
    model = DistributedDataParallel(Painter(args.waves).cuda(), device_ids=[rank])
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for step in range(args.steps):
        place, colour = places(args.places // world_size, generator)
        loss = nn.functional.mse_loss(model(place.cuda()), colour.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if rank == 0 and step % 100 == 0:
            print(f"step {step}: {loss.item():.5f}")
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--places", type=int, default=4096)
    parser.add_argument("--waves", type=int, default=64)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()
    world_size = torch.cuda.device_count()
    mp.spawn(worker, args=(world_size, args), nprocs=world_size)


if __name__ == "__main__":
    main()
