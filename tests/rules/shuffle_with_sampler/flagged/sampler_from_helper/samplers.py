import torch.utils.data.distributed as data_dist


def sharding(dataset, seed=0):
    """One shard per process, mixed anew for each epoch."""
    return data_dist.DistributedSampler(dataset, shuffle=True, seed=seed)
