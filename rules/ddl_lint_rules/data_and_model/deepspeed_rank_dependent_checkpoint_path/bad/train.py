"""Learns to segment sea ice in radar pictures with DeepSpeed, ZeRO stage 2."""

from __future__ import annotations

import argparse
import json

import deepspeed
import torch
import torch.distributed as dist
from scenes import IceScenes
from torch import nn


class IceNet(nn.Module):
    """A small convolutional network: one channel in, four classes out."""

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.encode = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, width, 3, padding=1))
        self.decode = nn.Conv2d(width, 4, 1)

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        return self.decode(torch.relu(self.encode(pictures)))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--local_rank", type=int, default=-1, help="given by the launcher")
    parser.add_argument("--ds_config", default="ds_config.json")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--out", default="checkpoints")
    return parser.parse_args()


def main() -> None:
    args = parse()
    deepspeed.init_distributed()
    with open(args.ds_config) as file:
        config = json.load(file)
    net = IceNet()
    engine, _, loader, _ = deepspeed.initialize(
        args=args, model=net, model_parameters=net.parameters(), training_data=IceScenes("train"), config=config
    )
    for epoch in range(args.epochs):
        for pictures, labels in loader:
            scores = engine(pictures.to(engine.device))
            loss = nn.functional.cross_entropy(scores, labels.to(engine.device))
            engine.backward(loss)
            engine.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f}")
        engine.save_checkpoint(f"{args.out}/rank{dist.get_rank()}", tag=f"epoch{epoch}")  # error: [deepspeed-rank-dependent-checkpoint-path]


if __name__ == "__main__":
    main()
