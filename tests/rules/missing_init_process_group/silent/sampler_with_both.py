# silent: a DistributedSampler that is given num_replicas and rank asks no group
import argparse

import torch
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def shard(dataset, index, count):
    return DistributedSampler(dataset, num_replicas=count, rank=index, shuffle=False)


def embed(batches):
    return torch.cat([batch.mean(dim=1) for (batch,) in batches])


def main():
    """Each job of an array embeds its own part of the archive; the jobs never talk to each other."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--job", type=int, required=True)
    parser.add_argument("--jobs", type=int, required=True)
    args = parser.parse_args()

    archive = TensorDataset(torch.rand(5000, 64, generator=torch.Generator().manual_seed(61)))
    by_name = DataLoader(archive, batch_size=100, sampler=shard(archive, args.job, args.jobs))
    by_place = DataLoader(archive, batch_size=100, sampler=DistributedSampler(archive, args.jobs, args.job, False))
    print(f"job {args.job}: {embed(by_name).mean():.4f} {embed(by_place).mean():.4f}")


if __name__ == "__main__":
    main()
