"""Tell birds apart by their songs: torchrun --nproc_per_node=gpu train_birds.py"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def recordings(species, count=1500, length=256):
    gen = torch.Generator().manual_seed(17)
    label = torch.randint(0, species, (count,), generator=gen)
    time = torch.arange(length) / length
    pitch = 8.0 + 4.0 * label[:, None]
    song = torch.sin(2 * torch.pi * pitch * time) + 0.3 * torch.randn(count, length, generator=gen)
    return TensorDataset(song[:, None], label)


class SongNet(nn.Module):
    """A convolution over the wave; the season of a recording was to be told, too, but nobody has noted it."""

    def __init__(self, species, channels):
        super().__init__()
        self.ear = nn.Sequential(nn.Conv1d(1, channels, 9, stride=4), nn.ReLU(), nn.AdaptiveMaxPool1d(8), nn.Flatten())
        self.species = nn.Linear(8 * channels, species)
        self.season = nn.Linear(8 * channels, 4)

    def forward(self, song):
        return self.species(self.ear(song))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--species", type=int, default=12)
    parser.add_argument("--epochs", type=int, default=8)
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")

    songs = recordings(args.species)
    sampler = DistributedSampler(songs)
    loader = DataLoader(songs, batch_size=64, sampler=sampler)
    model = DDP(SongNet(args.species, channels=24).to(local_rank), device_ids=[local_rank])  # error: [ddp-parameters-without-gradient]
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for song, label in loader:
            loss = nn.functional.cross_entropy(model(song.to(local_rank)), label.to(local_rank))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "birds.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
