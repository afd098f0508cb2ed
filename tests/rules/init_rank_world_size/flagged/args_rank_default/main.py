"""The spawned function gets its index and uses the command line's rank, which is the same for all."""

import argparse

import torch.multiprocessing as mp
from work import run


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--world-size", type=int, default=4)
    parser.add_argument("--steps", type=int, default=64)
    return parser.parse_args()


if __name__ == "__main__":
    options = parse()
    mp.spawn(run, args=(options,), nprocs=options.world_size)
