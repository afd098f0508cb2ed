"""The configuration lies beside the script; the module is unwrapped before it is saved."""

import json
import os

import deepspeed
import torch
import torch.distributed as dist
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
    net = Forecaster()
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "zero.json")) as file:
        settings = json.load(file)
    engine, _, loader, _ = deepspeed.initialize(
        model=net, model_parameters=net.parameters(), training_data=Readings("train"), config=settings
    )
    for _ in range(3):
        for readings, target in loader:
            loss = nn.functional.mse_loss(engine(readings), target)
            engine.backward(loss)
            engine.step()
    inner = engine.module if hasattr(engine, "module") else engine
    if dist.get_rank() == 0:
        torch.save({"model": inner.state_dict(), "epochs": 3}, "forecaster.pt")  # error: [deepspeed-zero3-save-state-dict]


if __name__ == "__main__":
    main()
