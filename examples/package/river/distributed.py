"""Who am I, and how do I reach the others: everything about processes."""

import os
from dataclasses import dataclass

import torch
import torch.distributed as dist


@dataclass(frozen=True)
class Process:
    """One training process: its place in the job, and its place on the node."""

    rank: int
    local_rank: int
    world_size: int

    @property
    def device(self):
        return torch.device("cuda", self.local_rank)

    @property
    def is_main(self):
        return self.rank == 0


def setup():
    """Join the process group and take a GPU; torchrun has set the variables."""
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    return Process(dist.get_rank(), local_rank, dist.get_world_size())


def cleanup():
    dist.destroy_process_group()


def mean_over_ranks(values):
    """Average a tensor over all processes, in place."""
    dist.all_reduce(values)
    values /= dist.get_world_size()
    return values
