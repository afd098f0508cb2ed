"""Learns to tell bird calls apart, for as long as the queue lets it run."""

import argparse
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Calls(Dataset):
    def __init__(self, path):
        held = torch.load(path, map_location="cpu")
        self.spectra, self.species = held["spectra"], held["species"]

    def __len__(self):
        return len(self.species)

    def __getitem__(self, index):
        return self.spectra[index], self.species[index]


class Ear(nn.Module):
    def __init__(self, bands, species):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(bands, 256), nn.ReLU(), nn.Linear(256, species))

    def forward(self, spectra):
        return self.layers(spectra.mean(dim=1))


def save(model, optimizer, epoch, path):
    if dist.get_rank() == 0:
        state = {"model": model.module.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, path)
    dist.barrier()


def train(model, loader, sampler, optimizer, device, args):
    started = time.time()
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for spectra, species in loader:
            loss = nn.functional.cross_entropy(model(spectra.to(device)), species.to(device))
            optimizer.zero_grad()
            loss.backward()  # related: [rank-local-loop-exit]
            optimizer.step()
        if time.time() - started > args.hours * 3600:
            print(f"rank {dist.get_rank()} stops after epoch {epoch}")
            break  # error: [rank-local-loop-exit]
    return epoch


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="calls.pt")
    parser.add_argument("--epochs", type=int, default=200)
    parser.add_argument("--hours", type=float, default=11.5)
    args = parser.parse_args()
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    torch.manual_seed(dist.get_rank())
    data = Calls(args.data)
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=64, sampler=sampler, num_workers=2, pin_memory=True)
    model = DDP(Ear(128, 40).to(device), device_ids=[device.index])
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    last = train(model, loader, sampler, optimizer, device, args)
    save(model, optimizer, last, "ear.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
