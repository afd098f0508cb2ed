"""Fine-tunes a classifier of reviews and measures its accuracy."""

import argparse

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ReviewNet(nn.Module):
    def __init__(self, words, stars=5):
        super().__init__()
        self.embed = nn.EmbeddingBag(words, 128)
        self.head = nn.Linear(128, stars)

    def forward(self, tokens):
        return self.head(self.embed(tokens))


def evaluate(accelerator, model, loader):
    model.eval()
    guesses, stars = [], []
    with torch.no_grad():
        for tokens, labels in loader:
            predictions = model(tokens).argmax(dim=-1)
            guesses.append(accelerator.gather(predictions))  # error: [accelerate-gather-for-metrics]
            stars.append(accelerator.gather(labels))  # error: [accelerate-gather-for-metrics]
    return (torch.cat(guesses) == torch.cat(stars)).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reviews", required=True)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()

    accelerator = Accelerator()
    table = torch.load(args.reviews, map_location="cpu")
    train = TensorDataset(table["tokens"], table["stars"])
    held_out = TensorDataset(table["held_out_tokens"], table["held_out_stars"])
    loader = DataLoader(train, batch_size=64, shuffle=True)
    eval_loader = DataLoader(held_out, batch_size=64)
    model = ReviewNet(words=40_000)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model, optimizer, loader, eval_loader = accelerator.prepare(model, optimizer, loader, eval_loader)

    for epoch in range(args.epochs):
        model.train()
        for tokens, labels in loader:
            accelerator.backward(F.cross_entropy(model(tokens), labels))
            optimizer.step()
            optimizer.zero_grad()
        accelerator.print(f"epoch {epoch}: accuracy {evaluate(accelerator, model, eval_loader):.4f}")


if __name__ == "__main__":
    main()
