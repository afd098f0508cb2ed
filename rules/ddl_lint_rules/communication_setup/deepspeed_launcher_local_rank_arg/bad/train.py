"""Trains a language model of old Norse charters with DeepSpeed."""

import argparse

import deepspeed
import torch
from charters import Charters
from torch import nn


class Scribe(nn.Module):
    """Guesses the next rune."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.runes = nn.Embedding(64, width)
        self.read = nn.GRU(width, width, batch_first=True)
        self.write = nn.Linear(width, 64)

    def forward(self, text: torch.Tensor) -> torch.Tensor:
        return self.write(self.read(self.runes(text))[0])


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=4)
    return parser.parse_args()  # error: [deepspeed-launcher-local-rank-arg]


def main() -> None:
    args = parse()
    deepspeed.init_distributed()
    net = Scribe(args.width)
    engine, _, loader, _ = deepspeed.initialize(
        model=net, model_parameters=net.parameters(), training_data=Charters("train"), config="ds.json"
    )
    for _ in range(args.epochs):
        for text, following in loader:
            scores = engine(text.to(engine.device))
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), following.to(engine.device).flatten())
            engine.backward(loss)
            engine.step()
    engine.save_checkpoint("out")


if __name__ == "__main__":
    main()
