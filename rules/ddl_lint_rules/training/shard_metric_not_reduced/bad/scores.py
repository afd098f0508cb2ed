"""How well the classifier does on recordings that it has not seen."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, DistributedSampler


def make_loader(recordings: Dataset, batch_size: int, shuffle: bool) -> DataLoader:
    sampler = DistributedSampler(recordings, shuffle=shuffle)  # related: [shard-metric-not-reduced]
    return DataLoader(recordings, batch_size=batch_size, sampler=sampler)


@torch.no_grad()
def accuracy(model: nn.Module, loader: DataLoader) -> float:
    model.eval()
    correct = 0
    for sound, species in loader:
        correct += (model(sound).argmax(dim=1) == species).sum().item()
    return correct / len(loader.dataset)  # error: [shard-metric-not-reduced]
