# silent: the kind of the engine is a choice of the user
import argparse

import deepspeed
import torch
from deepspeed.pipe import PipelineModule
from readings import Readings
from torch import nn

CONFIG = {"train_micro_batch_size_per_gpu": 4, "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}}, "zero_optimization": {"stage": 1}}


class Forecaster(nn.Module):
    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, readings: torch.Tensor) -> torch.Tensor:
        return self.body(readings)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--stages", type=int, default=0)
    args = parser.parse_args()
    deepspeed.init_distributed()
    if args.stages:
        net = PipelineModule(layers=[nn.Linear(32, 1)], num_stages=args.stages, loss_fn=nn.MSELoss())
    else:
        net = Forecaster()
    engine, _, loader, _ = deepspeed.initialize(
        model=net, model_parameters=net.parameters(), training_data=Readings("train"), config=CONFIG
    )
    for _ in range(3):
        for readings, target in loader:
            if args.stages:
                engine.train_batch(iter(loader))
            else:
                engine.backward(nn.functional.mse_loss(engine(readings), target))
                engine.step()


if __name__ == "__main__":
    main()
