"""Rank queries that also work in a plain single-process run."""

import torch.distributed as dist


def _active():
    return dist.is_available() and dist.is_initialized()


def process_index():
    if not _active():
        return 0
    return dist.get_rank()


def process_count():
    return dist.get_world_size() if _active() else 1


def all_sum(tensor):
    if process_count() < 2:
        return tensor
    dist.all_reduce(tensor)
    return tensor
