# silent: the other wrapper is around another model
import os

import deepspeed
import torch
from readings import Readings
from torch import nn
from torch.nn.parallel import DistributedDataParallel

CONFIG = {"train_micro_batch_size_per_gpu": 4, "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}}, "zero_optimization": {"stage": 1}}


class Forecaster(nn.Module):
    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, readings: torch.Tensor) -> torch.Tensor:
        return self.body(readings)


def main() -> None:
    deepspeed.init_distributed()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    teacher = DistributedDataParallel(Forecaster(256).cuda(), device_ids=[local_rank])
    net = Forecaster()
    engine, _, loader, _ = deepspeed.initialize(
        model=net, model_parameters=net.parameters(), training_data=Readings("train"), config=CONFIG
    )
    for _ in range(3):
        for readings, target in loader:
            with torch.no_grad():
                wanted = teacher(readings)
            loss = nn.functional.mse_loss(engine(readings), wanted)
            engine.backward(loss)
            engine.step()


if __name__ == "__main__":
    main()
