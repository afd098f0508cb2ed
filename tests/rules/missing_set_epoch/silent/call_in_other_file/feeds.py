# silent: the sampler is made here, set_epoch is called in another file
import torch
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def ship_feed(batch_size):
    generator = torch.Generator().manual_seed(10)
    track = torch.randn(6000, 22, generator=generator).cumsum(1)
    data = TensorDataset(track[:, :-2], track[:, -2:])
    sampler = DistributedSampler(data, shuffle=True)
    return DataLoader(data, batch_size=batch_size, sampler=sampler)
