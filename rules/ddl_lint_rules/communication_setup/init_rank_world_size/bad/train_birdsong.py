"""Tell bird species apart by their song, on all GPUs of one machine."""

import argparse
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Songs(Dataset):
    """Log-mel frames that are made up from a seed, one class per pitch."""

    def __init__(self, count, species=12, mels=40, frames=50):
        generator = torch.Generator().manual_seed(1881)
        self.label = torch.randint(0, species, (count,), generator=generator)
        self.noise = torch.randn(count, mels, frames, generator=generator)

    def __len__(self):
        return len(self.label)

    def __getitem__(self, index):
        song = self.noise[index].clone()
        song[self.label[index] * 3] += 2.0
        return song, self.label[index]


class SongNet(nn.Module):
    def __init__(self, species=12, mels=40):
        super().__init__()
        self.conv = nn.Conv1d(mels, 64, kernel_size=5, padding=2)
        self.head = nn.Linear(64, species)

    def forward(self, song):
        return self.head(self.conv(song).relu().mean(dim=-1))


def train_epoch(model, loader, optimizer, device):
    model.train()
    for song, label in loader:
        loss = nn.functional.cross_entropy(model(song.to(device)), label.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.detach()


def worker(rank, world_size, args):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29611")  # error: [init-rank-world-size]
    device = torch.device("cuda", rank)

    dataset = Songs(args.songs)
    sampler = DistributedSampler(dataset, num_replicas=world_size, rank=rank, seed=args.seed)
    loader = DataLoader(dataset, batch_size=args.batch_size, sampler=sampler, num_workers=2, pin_memory=True)

    torch.manual_seed(args.seed)
    model = DDP(SongNet().to(device), device_ids=[rank])
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        loss = train_epoch(model, loader, optimizer, device)
        if rank == 0:
            print(f"epoch {epoch}: {loss.item():.4f}")
            torch.save(model.module.state_dict(), args.out)
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--songs", type=int, default=4800)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=48)
    parser.add_argument("--lr", type=float, default=3e-4)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=Path("songnet.pt"))
    args = parser.parse_args()
    world_size = torch.cuda.device_count()
    mp.spawn(worker, args=(world_size, args), nprocs=world_size, join=True)


if __name__ == "__main__":
    main()
