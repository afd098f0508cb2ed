# silent: the loader goes through accelerator.prepare
import argparse

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_reviews(n, vocabulary):
    generator = torch.Generator().manual_seed(1)
    tokens = torch.randint(0, vocabulary, (n, 20), generator=generator)
    stars = torch.randint(0, 5, (n,), generator=generator)
    return TensorDataset(tokens, stars)


class StarModel(nn.Module):
    def __init__(self, vocabulary):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocabulary, 64)
        self.out = nn.Linear(64, 5)

    def forward(self, tokens):
        return self.out(self.embed(tokens))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    accelerator = Accelerator()
    model = StarModel(4000)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    loader = DataLoader(make_reviews(5000, 4000), batch_size=32, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(args.epochs):
        model.train()
        for tokens, stars in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(tokens), stars)
            accelerator.backward(loss)
            optimizer.step()
        accelerator.print(f"epoch {epoch}: {loss.item():.3f}")
    accelerator.wait_for_everyone()
    accelerator.save_model(model, "stars")


if __name__ == "__main__":
    main()
