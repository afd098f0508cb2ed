"""The stage stands in a file."""

import json

import deepspeed
import torch
from readings import Readings
from torch import nn


class Forecaster(nn.Module):
    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, readings: torch.Tensor) -> torch.Tensor:
        return self.body(readings)


def main() -> None:
    deepspeed.init_distributed()
    with open("ds_config.json") as file:
        settings = json.load(file)
    with deepspeed.zero.Init(config_dict_or_path=settings):  # error: [deepspeed-zero-init-stage-mismatch]
        net = Forecaster(256)
    engine, _, loader, _ = deepspeed.initialize(
        model=net, model_parameters=net.parameters(), training_data=Readings("train"), config="ds_config.json"
    )
    for _ in range(3):
        for readings, target in loader:
            loss = nn.functional.mse_loss(engine(readings), target)
            engine.backward(loss)
            engine.step()


if __name__ == "__main__":
    main()
