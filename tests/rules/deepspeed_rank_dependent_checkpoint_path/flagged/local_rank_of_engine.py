"""A helper joins the folder with the local rank."""

import os

import deepspeed
import torch
from readings import Readings
from torch import nn

CONFIG = {"train_micro_batch_size_per_gpu": 4, "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}}, "zero_optimization": {"stage": 1}}

def keep(engine, folder: str) -> None:
    place = os.path.join(folder, str(engine.local_rank))
    engine.save_checkpoint(save_dir=place)  # expect: deepspeed-rank-dependent-checkpoint-path


class Forecaster(nn.Module):
    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, readings: torch.Tensor) -> torch.Tensor:
        return self.body(readings)


def main() -> None:
    deepspeed.init_distributed()
    net = Forecaster()
    engine, _, loader, _ = deepspeed.initialize(
        model=net, model_parameters=net.parameters(), training_data=Readings("train"), config=CONFIG
    )
    for _ in range(3):
        for readings, target in loader:
            loss = nn.functional.mse_loss(engine(readings), target)
            engine.backward(loss)
            engine.step()
    keep(engine, "ckpt")


if __name__ == "__main__":
    main()
