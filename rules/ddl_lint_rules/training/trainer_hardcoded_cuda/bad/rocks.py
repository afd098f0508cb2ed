"""Trains a classifier of rock samples, of which some classes are rare."""

import argparse

import lightning.pytorch as pl
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Rocks(pl.LightningModule):
    def __init__(self, features=32, kinds=5, rate=1e-3):
        super().__init__()
        self.rate = rate
        self.net = nn.Sequential(nn.Linear(features, 128), nn.ReLU(), nn.Linear(128, kinds))

    def forward(self, samples):
        return self.net(samples)

    def training_step(self, batch, batch_idx):
        samples, kinds = batch
        weight = torch.tensor([1.0, 1.0, 2.0, 4.0, 4.0]).to("cuda:0")  # error: [trainer-hardcoded-cuda]
        loss = F.cross_entropy(self(samples), kinds, weight=weight)
        self.log("train_loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.rate)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rocks", required=True)
    args = parser.parse_args()
    table = torch.load(args.rocks, map_location="cpu")
    loader = DataLoader(TensorDataset(table["samples"], table["kinds"]), batch_size=64, shuffle=True)
    trainer = pl.Trainer(accelerator="gpu", devices=4, strategy="ddp", max_epochs=20)
    trainer.fit(Rocks(), loader)


if __name__ == "__main__":
    main()
