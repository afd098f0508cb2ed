"""Fruit counting on orchard photographs. torchrun --nproc-per-node 2 train_orchard.py"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler

EPOCHS = 8


class OrchardTiles(Dataset):
    """Tiles of 32 x 32 pixels with the number of visible fruits."""

    def __init__(self, size: int):
        generator = torch.Generator().manual_seed(size)
        self.count = torch.randint(0, 12, (size,), generator=generator).float()
        noise = torch.rand(size, 3, 32, 32, generator=generator)
        self.tile = noise + 0.05 * self.count[:, None, None, None]

    def __len__(self):
        return len(self.count)

    def __getitem__(self, index):
        return self.tile[index], self.count[index]


class FruitCounter(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 16, 3, stride=2), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=2), nn.ReLU(), nn.AdaptiveAvgPool2d(1)
        )
        self.head = nn.Linear(32, 1)

    def forward(self, tile):
        return self.head(self.features(tile).flatten(1)).squeeze(1)


def main():
    use_cuda = torch.cuda.is_available()
    local_rank = int(os.environ["LOCAL_RANK"])
    if use_cuda:
        torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl" if use_cuda else "gloo")
    device = torch.device("cuda", local_rank) if use_cuda else torch.device("cpu")

    tiles = OrchardTiles(6000)
    sampler = DistributedSampler(tiles, seed=21)  # related: [shuffle-with-sampler]
    loader = DataLoader(tiles, batch_size=64, shuffle=True, sampler=sampler, num_workers=2)  # error: [shuffle-with-sampler]

    model = DistributedDataParallel(FruitCounter().to(device))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    for epoch in range(EPOCHS):
        sampler.set_epoch(epoch)
        for tile, count in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(tile.to(device)), count.to(device))
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch + 1}/{EPOCHS} done")
            torch.save(model.module.state_dict(), "orchard.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
