# silent: the schedule is stepped in the other arm of a condition
import argparse

import deepspeed
import torch
from readings import Readings
from torch import nn

CONFIG = {"train_micro_batch_size_per_gpu": 4, "zero_optimization": {"stage": 1}}


class Forecaster(nn.Module):
    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, readings: torch.Tensor) -> torch.Tensor:
        return self.body(readings)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--plain", action="store_true")
    args = parser.parse_args()
    deepspeed.init_distributed()
    net = Forecaster()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 30)
    engine, optimizer, loader, schedule = deepspeed.initialize(
        model=net, optimizer=optimizer, lr_scheduler=schedule, training_data=Readings("train"), config=CONFIG
    )
    for _ in range(3):
        for readings, target in loader:
            loss = nn.functional.mse_loss(engine(readings), target)
            if args.plain:
                engine.backward(loss)
                optimizer.step()
                schedule.step()
            else:
                engine.backward(loss)
                engine.step()


if __name__ == "__main__":
    main()
