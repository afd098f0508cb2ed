"""Trains a ranker of search results, several batches per step."""

import argparse

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Ranker(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(features, 512), nn.GELU(), nn.Linear(512, 1))

    def forward(self, pairs):
        return self.score(pairs).squeeze(-1)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--accumulation", type=int, default=8)
    return parser.parse_args()


def main():
    args = parse()
    accelerator = Accelerator(gradient_accumulation_steps=args.accumulation)
    table = torch.load(args.data, map_location="cpu")
    loader = DataLoader(TensorDataset(table["pairs"], table["clicks"]), batch_size=32, shuffle=True)
    model = Ranker(64)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)

    for epoch in range(args.epochs):
        model.train()
        for pairs, clicks in loader:
            with accelerator.accumulate(model):
                loss = F.binary_cross_entropy_with_logits(model(pairs), clicks)
                accelerator.backward(loss / args.accumulation)  # error: [accelerate-manual-grad-accum]
                optimizer.step()
                optimizer.zero_grad()
        accelerator.print(f"epoch {epoch}: loss {loss.item():.4f}")
    accelerator.save_model(model, "ranker")


if __name__ == "__main__":
    main()
