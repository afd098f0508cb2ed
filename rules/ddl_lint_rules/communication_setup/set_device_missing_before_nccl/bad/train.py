"""Segment fungal threads in microscope tiles. Start with: torchrun --nproc_per_node=8 train.py"""

import argparse
from pathlib import Path

import comm
import torch
from tiles import HyphaTiles
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Segmenter(nn.Module):
    def __init__(self, channels=16):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, channels, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(channels, 1, 1),
        )

    def forward(self, tile):
        return self.layers(tile)


def train_epoch(model, loader, optimizer):
    model.train()
    for tile, mask in loader:
        tile, mask = tile.cuda(non_blocking=True), mask.cuda(non_blocking=True)
        loss = nn.functional.binary_cross_entropy_with_logits(model(tile), mask)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return comm.mean(loss.detach())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--out", type=Path, default=Path("segmenter.pt"))
    args = parser.parse_args()

    local_rank = comm.start()
    model = Segmenter().cuda()  # error: [set-device-missing-before-nccl]
    if args.resume:
        model.load_state_dict(torch.load(args.resume, map_location="cpu"))
    model = DDP(model, device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    dataset = HyphaTiles(count=2000)
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=args.batch_size, sampler=sampler, num_workers=4, pin_memory=True)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        loss = train_epoch(model, loader, optimizer)
        if comm.is_main():
            print(f"epoch {epoch}: {loss.item():.4f}")
            torch.save(model.module.state_dict(), args.out)
    comm.stop()


if __name__ == "__main__":
    main()
