"""Trains a segmentation network for satellite images."""

import argparse

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Segmenter(nn.Module):
    def __init__(self, bands, classes):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(bands, 64, 3, padding=1), nn.ReLU(), nn.Conv2d(64, classes, 1))

    def forward(self, tiles):
        return self.layers(tiles)


def make_loader(accelerator, path, batch_size):
    tables = torch.load(path, map_location="cpu")
    tiles = TensorDataset(tables["tiles"], tables["masks"])
    return DataLoader(  # error: [accelerate-double-sharded-loader]
        tiles,
        batch_size=batch_size,
        sampler=DistributedSampler(tiles, accelerator.num_processes, accelerator.process_index),
        num_workers=4,
        pin_memory=True,
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tiles", required=True)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=20)
    args = parser.parse_args()

    accelerator = Accelerator()
    model = Segmenter(bands=6, classes=9)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    loader = make_loader(accelerator, args.tiles, args.batch_size)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)

    for epoch in range(args.epochs):
        model.train()
        for tiles, masks in loader:
            loss = F.cross_entropy(model(tiles), masks)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        accelerator.print(f"epoch {epoch}: loss {loss.item():.4f}")
    accelerator.save_model(model, "segmenter")


if __name__ == "__main__":
    main()
