import functools

import torch.distributed as dist


def rank_zero_only(function):
    """Run the function on rank 0; elsewhere the call gives None."""

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        if dist.get_rank() == 0:
            return function(*args, **kwargs)
        return None

    return wrapped
