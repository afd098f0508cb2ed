"""Synthetic gauge readings and the loaders over them."""

import torch
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Gauges(Dataset):
    """Levels of a chain of gauges; each follows the one upstream with a day's delay."""

    def __init__(self, days, gauges, days_back, seed):
        gen = torch.Generator().manual_seed(seed)
        rain = torch.rand(days + gauges, generator=gen).pow(4)
        levels = torch.stack([rain[gauges - g : gauges - g + days] for g in range(gauges)], dim=1)
        self.levels = 1.0 + levels + 0.02 * torch.randn(days, gauges, generator=gen)
        self.days_back = days_back

    def __len__(self):
        return len(self.levels) - self.days_back

    def __getitem__(self, day):
        end = day + self.days_back
        return self.levels[day:end], self.levels[end]


def build_loader(dataset, config, process, train):
    sampler = DistributedSampler(
        dataset, num_replicas=process.world_size, rank=process.local_rank, shuffle=train, drop_last=train
    )
    return DataLoader(dataset, batch_size=config.batch_size, sampler=sampler, num_workers=2, pin_memory=True)


def build_loaders(config, process):
    """The training loader and the test loader of this process."""
    train_set = Gauges(4000, config.gauges, config.days_back, seed=10)
    test_set = Gauges(600, config.gauges, config.days_back, seed=11)
    return build_loader(train_set, config, process, True), build_loader(test_set, config, process, False)
