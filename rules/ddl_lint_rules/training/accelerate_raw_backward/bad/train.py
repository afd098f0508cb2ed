"""Trains a denoiser of seismic traces."""

import argparse

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Denoiser(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv1d(1, width, 9, padding=4), nn.ReLU(), nn.Conv1d(width, 1, 9, padding=4))

    def forward(self, traces):
        return traces - self.layers(traces)


def loss_of(model, noisy, clean):
    return F.mse_loss(model(noisy), clean)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--traces", required=True)
    parser.add_argument("--epochs", type=int, default=30)
    args = parser.parse_args()

    accelerator = Accelerator(mixed_precision="fp16")
    table = torch.load(args.traces, map_location="cpu")
    loader = DataLoader(TensorDataset(table["noisy"], table["clean"]), batch_size=64, shuffle=True)
    model = Denoiser()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)

    for epoch in range(args.epochs):
        model.train()
        for noisy, clean in loader:
            loss = loss_of(model, noisy, clean)
            loss.backward()  # error: [accelerate-raw-backward]
            optimizer.step()
            optimizer.zero_grad()
        accelerator.print(f"epoch {epoch}: loss {loss.item():.5f}")
    accelerator.save_model(model, "denoiser")


if __name__ == "__main__":
    main()
