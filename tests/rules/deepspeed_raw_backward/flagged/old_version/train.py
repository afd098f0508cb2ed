"""The project pins a version that takes no notice of a plain backward."""

import deepspeed
import torch
from readings import Readings
from torch import nn

CONFIG = {"train_micro_batch_size_per_gpu": 4, "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}}, "zero_optimization": {"stage": 2}}


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
            loss.backward()  # error: [deepspeed-raw-backward]
            engine.step()


if __name__ == "__main__":
    main()
