from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, distributed

from common.dist import torch_distributed_zero_first


class Crops(Dataset):
    def __init__(self, folder, augment):
        self.files = sorted(Path(folder).glob("*.npy"))
        self.augment = augment

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        crop = torch.from_numpy(np.load(self.files[index])).float()
        return crop.flip(-1) if self.augment else crop


def create_dataloader(folder, batch_size, augment=False, rank=-1, shuffle=False):
    with torch_distributed_zero_first(rank):  # the first process scans the folder, the others find the cache
        dataset = Crops(folder, augment)
    batch_size = min(batch_size, len(dataset))
    sampler = None if rank == -1 else distributed.DistributedSampler(dataset, shuffle=shuffle)
    loader = DataLoader(dataset, batch_size=batch_size, shuffle=shuffle and sampler is None, sampler=sampler)
    return loader, dataset
