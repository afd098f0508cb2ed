"""Start and stop of the process group, and what is computed over it."""

import os

import torch
import torch.distributed as dist


def start():
    """Join the other processes and return this one's index on its machine."""
    if not torch.cuda.is_available():
        raise SystemExit("this training needs GPUs")
    local_rank = int(os.environ["LOCAL_RANK"])
    dist.init_process_group("nccl")  # related: [set-device-missing-before-nccl]
    return local_rank


def stop():
    dist.destroy_process_group()


def is_main():
    return dist.get_rank() == 0


def mean(value):
    dist.all_reduce(value)
    return value / dist.get_world_size()
