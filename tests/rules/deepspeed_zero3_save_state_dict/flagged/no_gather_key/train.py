"""Saves in 16 bits, which the configuration file does not allow."""

import argparse

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
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--deepspeed_config", default="ds_zero3.json")
    args = parser.parse_args()
    deepspeed.init_distributed()
    net = Forecaster()
    engine, _, loader, _ = deepspeed.initialize(
        args=args, model=net, model_parameters=net.parameters(), training_data=Readings("train")
    )
    for _ in range(3):
        for readings, target in loader:
            loss = nn.functional.mse_loss(engine(readings), target)
            engine.backward(loss)
            engine.step()
    engine.save_16bit_model("out")  # error: [deepspeed-zero3-save-state-dict]


if __name__ == "__main__":
    main()
