import torch.distributed as dist


def own_share(items):
    """The items of this process."""
    return items[dist.get_rank() :: dist.get_world_size()]  # error: [uneven-partition]
