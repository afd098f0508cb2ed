# silent: a test looks at the shard of rank 0
import torch
from torch.utils.data import DistributedSampler, TensorDataset


def numbers(n):
    return TensorDataset(torch.arange(n))


def test_first_shard_holds_every_second_index():
    sampler = DistributedSampler(numbers(10), num_replicas=2, rank=0, shuffle=False)
    assert list(sampler) == [0, 2, 4, 6, 8]


def test_shards_cover_everything():
    data = numbers(11)
    first = DistributedSampler(data, num_replicas=2, rank=0, seed=4)
    second = DistributedSampler(data, num_replicas=2, rank=1, seed=4)
    assert set(first) | set(second) == set(range(11))
