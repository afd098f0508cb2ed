# silent: one process builds the shards of all ranks to print how they overlap
import argparse
from collections import Counter

import torch
from torch.utils.data import DistributedSampler, TensorDataset


def shard(data, world_size, index, epoch):
    sampler = DistributedSampler(data, num_replicas=world_size, rank=index, seed=1)
    sampler.set_epoch(epoch)
    return list(sampler)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=1003)
    parser.add_argument("--world-size", type=int, default=4)
    args = parser.parse_args()
    data = TensorDataset(torch.arange(args.samples))
    for epoch in range(3):
        seen = Counter()
        for index in range(args.world_size):
            seen.update(shard(data, args.world_size, index, epoch))
        twice = sum(count > 1 for count in seen.values())
        print(f"epoch {epoch}: {len(seen)} samples, {twice} of them twice")


if __name__ == "__main__":
    main()
