"""One option says both."""

import argparse

import deepspeed
import torch
from readings import Readings
from torch import nn

def settings(accum: int) -> dict:
    return {
        "train_micro_batch_size_per_gpu": 4,
        "gradient_accumulation_steps": accum,
        "zero_optimization": {"stage": 1},
    }


class Forecaster(nn.Module):
    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, readings: torch.Tensor) -> torch.Tensor:
        return self.body(readings)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--accum", type=int, default=4)
    args = parser.parse_args()
    deepspeed.init_distributed()
    net = Forecaster()
    engine, _, loader, _ = deepspeed.initialize(
        model=net, model_parameters=net.parameters(), training_data=Readings("train"), config=settings(args.accum)
    )
    seen = 0
    for _ in range(3):
        for readings, target in loader:
            loss = nn.functional.mse_loss(engine(readings), target)
            loss = loss / args.accum
            engine.backward(loss)  # expect: deepspeed-manual-grad-accum
            seen += 1
            if seen % args.accum == 0 or seen == len(loader):
                engine.step()  # expect: deepspeed-manual-grad-accum


if __name__ == "__main__":
    main()
