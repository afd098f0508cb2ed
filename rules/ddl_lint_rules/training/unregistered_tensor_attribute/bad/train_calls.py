"""Train the bird call classifier: torchrun --nproc_per_node=gpu train_calls.py"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler

from acoustic import CallClassifier


class Calls(Dataset):
    """Synthetic spectrograms whose loudest band tells the species."""

    def __init__(self, count=2000, bands=64, frames=80, species=40):
        gen = torch.Generator().manual_seed(31)
        self.species = torch.randint(0, species, (count,), generator=gen)
        self.mel = torch.rand(count, bands, frames, generator=gen)
        self.mel[torch.arange(count), self.species] += 1.0

    def __len__(self):
        return len(self.species)

    def __getitem__(self, index):
        return self.mel[index], self.species[index]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--output", default="calls.pt")
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)

    model = DDP(CallClassifier().to(device), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    calls = Calls()
    sampler = DistributedSampler(calls, shuffle=True, seed=12)
    loader = DataLoader(calls, batch_size=40, sampler=sampler, num_workers=2, pin_memory=True)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for mel, species in loader:
            loss = nn.functional.cross_entropy(model(mel.to(device)), species.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), args.output)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
