"""Hourly readings of weather stations, one file per station."""

from pathlib import Path

import torch
from torch.utils.data import ConcatDataset, DataLoader, Dataset, DistributedSampler, random_split


class Station(Dataset):
    """Pairs of a day of readings and the reading of the hour that follows."""

    def __init__(self, file: Path, hours: int = 24):
        self.readings = torch.load(file, map_location="cpu")
        self.hours = hours

    def __len__(self):
        return len(self.readings) - self.hours

    def __getitem__(self, index):
        end = index + self.hours
        return self.readings[index:end], self.readings[end]


def make_loaders(folder: str, batch_size: int, held_out: float = 0.1):
    readings = ConcatDataset([Station(file) for file in sorted(Path(folder).glob("*.pt"))])
    train_set, val_set = random_split(readings, [1 - held_out, held_out])  # error: [unseeded-split-across-ranks]
    train_sampler = DistributedSampler(train_set)  # related: [unseeded-split-across-ranks]
    val_sampler = DistributedSampler(val_set, shuffle=False)
    return (
        DataLoader(train_set, batch_size=batch_size, sampler=train_sampler, num_workers=2),
        DataLoader(val_set, batch_size=batch_size, sampler=val_sampler, num_workers=2),
        train_sampler,
    )
