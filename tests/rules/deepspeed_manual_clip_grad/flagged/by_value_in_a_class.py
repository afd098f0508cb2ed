"""A trainer clips the model that it was made with, by value."""

import deepspeed
import torch
from readings import Readings
from torch import nn

CONFIG = {"train_micro_batch_size_per_gpu": 4, "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}}, "zero_optimization": {"stage": 1}}

class Trainer:
    def __init__(self, net: nn.Module) -> None:
        self.net = net
        self.engine, _, self.loader, _ = deepspeed.initialize(
            model=net, model_parameters=net.parameters(), training_data=Readings("train"), config=CONFIG
        )

    def step(self, readings: torch.Tensor, target: torch.Tensor) -> None:
        loss = nn.functional.mse_loss(self.engine(readings), target)
        self.engine.backward(loss)
        nn.utils.clip_grad_value_(self.net.parameters(), 0.5)  # expect: deepspeed-manual-clip-grad
        self.engine.step()


class Forecaster(nn.Module):
    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, readings: torch.Tensor) -> torch.Tensor:
        return self.body(readings)


def main() -> None:
    deepspeed.init_distributed()
    net = Forecaster()
    trainer = Trainer(net)
    for _ in range(3):
        for readings, target in trainer.loader:
            trainer.step(readings, target)


if __name__ == "__main__":
    main()
