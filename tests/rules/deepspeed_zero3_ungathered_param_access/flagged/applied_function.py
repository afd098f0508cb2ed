"""A function for all layers writes into what is elsewhere."""

import deepspeed
import torch
from readings import Readings
from torch import nn

CONFIG = {"train_micro_batch_size_per_gpu": 4, "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}}, "zero_optimization": {"stage": 3}}

def start(layer: nn.Module) -> None:
    if isinstance(layer, nn.Linear):
        layer.weight.data.normal_(0.0, 0.02)  # expect: deepspeed-zero3-ungathered-param-access
        nn.init.zeros_(layer.bias)  # expect: deepspeed-zero3-ungathered-param-access


class Forecaster(nn.Module):
    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, readings: torch.Tensor) -> torch.Tensor:
        return self.body(readings)


def main() -> None:
    deepspeed.init_distributed()
    with deepspeed.zero.Init(config_dict_or_path=CONFIG):
        net = Forecaster()
    net.apply(start)
    engine, _, loader, _ = deepspeed.initialize(
        model=net, model_parameters=net.parameters(), training_data=Readings("train"), config=CONFIG
    )
    for _ in range(3):
        for readings, target in loader:
            loss = nn.functional.mse_loss(engine(readings), target)
            engine.backward(loss)
            engine.step()


if __name__ == "__main__":
    main()
