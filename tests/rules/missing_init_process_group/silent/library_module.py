# silent: a library module has no entry point, so its callers may start the group
"""Distributed helpers of a package for soil-moisture models; imported, never run."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def is_main():
    return dist.get_rank() == 0


def mean_over_ranks(value):
    """Average a scalar tensor over all ranks, in place."""
    dist.all_reduce(value)
    value /= dist.get_world_size()
    return value


def sharded_loader(dataset, batch_size, workers=4):
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=batch_size, sampler=sampler, num_workers=workers)
    return loader, sampler


def replicate(module, local_rank):
    module = module.to(torch.device("cuda", local_rank))
    return DistributedDataParallel(module, device_ids=[local_rank])


class MoistureMeter:
    """Sums a metric locally and over all ranks when asked."""

    def __init__(self, device):
        self.total = torch.zeros(2, device=device)

    def update(self, error, count):
        self.total[0] += error.detach() * count
        self.total[1] += count

    def compute(self):
        total = self.total.clone()
        dist.all_reduce(total)
        return (total[0] / total[1]).item()
