"""How well the classifier does on recordings that it has not seen."""

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, Dataset, DistributedSampler


def make_loader(recordings: Dataset, batch_size: int, shuffle: bool) -> DataLoader:
    sampler = DistributedSampler(recordings, shuffle=shuffle)
    return DataLoader(recordings, batch_size=batch_size, sampler=sampler)


@torch.no_grad()
def accuracy(model: nn.Module, loader: DataLoader) -> float:
    model.eval()
    correct = torch.zeros(2)
    for sound, species in loader:
        correct[0] += (model(sound).argmax(dim=1) == species).sum()
        correct[1] += species.numel()
    dist.all_reduce(correct)
    return (correct[0] / correct[1]).item()
