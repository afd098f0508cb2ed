# silent: nobody can tell the stage
import argparse

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
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--stage", type=int, default=3)
    args = parser.parse_args()
    deepspeed.init_distributed()
    net = Forecaster()
    config = {"train_micro_batch_size_per_gpu": 4, "zero_optimization": {"stage": args.stage}}
    engine, _, loader, _ = deepspeed.initialize(
        model=net, model_parameters=net.parameters(), training_data=Readings("train"), config=config
    )
    for _ in range(3):
        for readings, target in loader:
            loss = nn.functional.mse_loss(engine(readings), target)
            engine.backward(loss)
            engine.step()
    if args.stage < 3 and dist.get_rank() == 0:
        torch.save(engine.module.state_dict(), "forecaster.pt")


if __name__ == "__main__":
    main()
