"""Trains a classifier of bird songs with Accelerate."""

import argparse

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SongNet(nn.Module):
    def __init__(self, bands, birds):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(bands, 256), nn.ReLU(), nn.Linear(256, birds))

    def forward(self, spectra):
        return self.body(spectra)


def load(path):
    table = torch.load(path, map_location="cpu")
    return TensorDataset(table["spectra"], table["birds"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--birds", type=int, default=40)
    args = parser.parse_args()

    accelerator = Accelerator()
    model = SongNet(128, args.birds)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    loader = DataLoader(load(args.data), batch_size=64, shuffle=True)
    accelerator.prepare(model, optimizer, loader)  # error: [accelerate-prepare-result]

    model.to(accelerator.device)
    for epoch in range(args.epochs):
        model.train()
        for spectra, birds in loader:
            spectra, birds = spectra.to(accelerator.device), birds.to(accelerator.device)
            loss = F.cross_entropy(model(spectra), birds)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        accelerator.print(f"epoch {epoch}: loss {loss.item():.4f}")

    accelerator.wait_for_everyone()
    accelerator.save_model(model, "songs")


if __name__ == "__main__":
    main()
