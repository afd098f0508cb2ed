"""Predicts tides from the pressure and the wind of the last days, with a transformer that DeepSpeed trains."""

from __future__ import annotations

import argparse

import deepspeed
import torch
from gauges import TideSeries
from torch import nn
from torch.nn.parallel import DistributedDataParallel

CONFIG = {
    "train_micro_batch_size_per_gpu": 16,
    "optimizer": {"type": "AdamW", "params": {"lr": 2e-4}},
    "zero_optimization": {"stage": 1},
}


class TideModel(nn.Module):
    """Reads the last hours, gives the height of the water in the next one."""

    def __init__(self, width: int = 192, layers: int = 4) -> None:
        super().__init__()
        self.embed = nn.Linear(6, width)
        self.encode = nn.TransformerEncoder(nn.TransformerEncoderLayer(width, 6, batch_first=True), layers)
        self.height = nn.Linear(width, 1)

    def forward(self, hours: torch.Tensor) -> torch.Tensor:
        return self.height(self.encode(self.embed(hours))[:, -1])


class Trainer:
    """Trains a model, and keeps checkpoints of it."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.net = TideModel()
        local_rank = args.local_rank
        torch.cuda.set_device(local_rank)
        deepspeed.init_distributed()
        self.net = DistributedDataParallel(self.net.cuda(), device_ids=[local_rank])  # error: [deepspeed-foreign-wrapper]
        self.engine, self.optimizer, self.loader, self.schedule = deepspeed.initialize(
            model=self.net, model_parameters=self.net.parameters(), training_data=TideSeries("train"), config=CONFIG
        )

    def fit(self) -> None:
        for epoch in range(self.args.epochs):
            total = 0.0
            for turn, (hours, height) in enumerate(self.loader):
                hours, height = hours.to(self.engine.device), height.to(self.engine.device)
                loss = nn.functional.mse_loss(self.engine(hours), height)
                self.engine.backward(loss)
                self.engine.step()
                total += loss.item()
            if self.engine.global_rank == 0:
                print(f"epoch {epoch}: {total:.3f}")
            self.engine.save_checkpoint(self.args.out, tag=f"epoch{epoch}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--out", default="runs/tides")
    Trainer(parser.parse_args()).fit()


if __name__ == "__main__":
    main()
