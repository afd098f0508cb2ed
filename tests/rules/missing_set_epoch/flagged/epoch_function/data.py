import torch
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler as Shards


class Dunes(Dataset):
    def __init__(self, n):
        generator = torch.Generator().manual_seed(2)
        self.height = torch.rand(n, 40, generator=generator)

    def __len__(self):
        return len(self.height)

    def __getitem__(self, i):
        return self.height[i, :-1], self.height[i, -1:]


def get_train_loader(n, batch_size, seed):
    dunes = Dunes(n)
    return DataLoader(dunes, batch_size=batch_size, sampler=Shards(dunes, shuffle=True, seed=seed))
