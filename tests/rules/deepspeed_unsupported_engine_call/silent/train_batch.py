# silent: the engine for stages is trained by `train_batch`
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
    deepspeed.init_distributed()
    net = PipelineModule(layers=[nn.Linear(32, 128), nn.GELU(), nn.Linear(128, 1)], num_stages=2, loss_fn=nn.MSELoss())
    # Forecaster() is cut into these layers
    engine, _, loader, _ = deepspeed.initialize(
        model=net, model_parameters=net.parameters(), training_data=Readings("train"), config=CONFIG
    )
    for _ in range(3):
        for readings, target in loader:
            engine.train_batch(iter(loader))
            print(readings.shape, target.shape)


if __name__ == "__main__":
    main()
