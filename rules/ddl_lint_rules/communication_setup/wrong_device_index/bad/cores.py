import torch
from torch.utils.data import Dataset


class DrillCores(Dataset):
    """Made-up brightness profiles with one dark line per year."""

    def __init__(self, count, length=512):
        self.count = count
        self.length = length

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index)
        age = int(torch.randint(10, 120, (1,), generator=generator))
        position = torch.linspace(0, age * 2 * torch.pi, self.length)
        core = position.cos() + 0.2 * torch.randn(self.length, generator=generator)
        return core, torch.tensor(age / 100)
