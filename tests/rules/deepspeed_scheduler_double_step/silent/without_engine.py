# silent: the schedule is stepped where there is no engine
import argparse

import deepspeed
import torch
from readings import Readings
from torch import nn

CONFIG = {"train_micro_batch_size_per_gpu": 4, "scheduler": {"type": "WarmupLR", "params": {"warmup_num_steps": 100}}, "zero_optimization": {"stage": 2}}


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
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 1000)
    if args.plain:
        model, loader = net, torch.utils.data.DataLoader(Readings("train"), sampler=Readings.order())
    else:
        model, _, loader, schedule = deepspeed.initialize(
            model=net, optimizer=optimizer, training_data=Readings("train"), config=CONFIG
        )
    for _ in range(3):
        for readings, target in loader:
            loss = nn.functional.mse_loss(model(readings), target)
            if args.plain:
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
                schedule.step()
            else:
                model.backward(loss)
                model.step()


if __name__ == "__main__":
    main()
