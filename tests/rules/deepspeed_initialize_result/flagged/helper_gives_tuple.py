"""A helper gives the tuple back, the caller takes three of it."""

import deepspeed
import torch
from readings import Readings
from torch import nn

CONFIG = {"train_micro_batch_size_per_gpu": 4, "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}}, "zero_optimization": {"stage": 1}}

def prepare(net: nn.Module):
    return deepspeed.initialize(model=net, model_parameters=net.parameters(), config=CONFIG)


class Forecaster(nn.Module):
    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, readings: torch.Tensor) -> torch.Tensor:
        return self.body(readings)


def main() -> None:
    deepspeed.init_distributed()
    net = Forecaster()
    engine, optimizer, schedule = prepare(net)  # expect: deepspeed-initialize-result
    for _ in range(3):
        for readings, target in Readings("train"):
            loss = nn.functional.mse_loss(engine(readings), target)
            engine.backward(loss)
            engine.step()


if __name__ == "__main__":
    main()
