import torch
from torch.utils.data import DataLoader, TensorDataset, distributed


def make_feed(batch_size):
    plums = torch.rand(400, 4, generator=torch.Generator().manual_seed(2))
    dataset = TensorDataset(plums, plums.sum(dim=1))
    sampler = distributed.DistributedSampler(dataset, shuffle=True)  # error: [missing-init-process-group]
    return DataLoader(dataset, batch_size=batch_size, sampler=sampler)
