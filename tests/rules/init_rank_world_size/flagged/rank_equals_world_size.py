"""Ranks were counted from 1: the last rank is outside the world."""

import os

import torch
import torch.distributed as dist


def main():
    os.environ.setdefault("MASTER_ADDR", "10.2.0.1")
    os.environ.setdefault("MASTER_PORT", "29636")
    dist.init_process_group(backend="gloo", rank=2, world_size=2)  # expect: init-rank-world-size
    gains = torch.rand(5)
    dist.all_reduce(gains)
    print(gains.tolist())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
