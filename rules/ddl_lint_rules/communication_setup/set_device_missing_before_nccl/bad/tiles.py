"""Made-up microscope tiles: bright lines on a noisy ground."""

import torch
from torch.utils.data import Dataset


class HyphaTiles(Dataset):
    def __init__(self, count, size=64):
        self.count = count
        self.size = size

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index)
        mask = torch.zeros(1, self.size, self.size)
        row, column = torch.randint(0, self.size, (2,), generator=generator).tolist()
        mask[0, row, :] = 1
        mask[0, :, column] = 1
        tile = mask + 0.4 * torch.randn(mask.shape, generator=generator)
        return tile, mask
