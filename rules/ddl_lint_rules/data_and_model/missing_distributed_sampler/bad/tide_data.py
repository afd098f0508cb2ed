"""Tide-gauge windows: six hours of water levels, and the level one hour later."""

import torch
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class TideWindows(Dataset):
    def __init__(self, levels: torch.Tensor, width: int = 36, ahead: int = 6):
        self.levels = levels
        self.width = width
        self.ahead = ahead

    def __len__(self):
        return len(self.levels) - self.width - self.ahead

    def __getitem__(self, index):
        window = self.levels[index : index + self.width]
        return window, self.levels[index + self.width + self.ahead]


def gauge_record(n: int, seed: int) -> torch.Tensor:
    """A made-up record: two tidal constituents and some weather."""
    generator = torch.Generator().manual_seed(seed)
    t = torch.arange(n, dtype=torch.float32)
    return torch.sin(t / 74.5) + 0.3 * torch.sin(t / 80.0) + 0.05 * torch.randn(n, generator=generator)


def make_loaders(batch_size: int):
    train_set = TideWindows(gauge_record(40_000, seed=3))
    val_set = TideWindows(gauge_record(4_000, seed=4))
    train_loader = DataLoader(train_set, batch_size=batch_size, shuffle=True, num_workers=2)  # error: [missing-distributed-sampler]
    val_sampler = DistributedSampler(val_set, shuffle=False)
    val_loader = DataLoader(val_set, batch_size=batch_size, sampler=val_sampler, num_workers=2)
    return train_loader, val_loader
