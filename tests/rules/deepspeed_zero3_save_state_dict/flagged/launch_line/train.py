"""The launch line names the configuration; a helper in a class saves."""

import argparse

import deepspeed
import torch
import torch.distributed as dist
from readings import Readings
from torch import nn

class Saver:
    def __init__(self, model: nn.Module) -> None:
        self.model = model

    def save(self, path: str) -> None:
        if dist.get_rank() == 0:
            torch.save(self.model.state_dict(), path)  # error: [deepspeed-zero3-save-state-dict]


class Forecaster(nn.Module):
    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, readings: torch.Tensor) -> torch.Tensor:
        return self.body(readings)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    deepspeed.add_config_arguments(parser)
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
    Saver(engine.module).save("forecaster.pt")


if __name__ == "__main__":
    main()
