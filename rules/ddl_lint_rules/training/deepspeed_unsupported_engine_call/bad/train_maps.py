"""Trains a deep network on weather maps in four pipeline stages."""

from __future__ import annotations

import argparse

import deepspeed
import torch
from deepspeed.pipe import LayerSpec, PipelineModule
from maps import WeatherMaps
from torch import nn

CONFIG = {
    "train_micro_batch_size_per_gpu": 2,
    "gradient_accumulation_steps": 8,
    "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}},
    "zero_optimization": {"stage": 1},
}


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.mix = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, fields: torch.Tensor) -> torch.Tensor:
        return fields + self.mix(self.norm(fields))


def build(width: int, depth: int) -> PipelineModule:
    layers = [LayerSpec(nn.Linear, 24, width), *(LayerSpec(Block, width) for _ in range(depth)), LayerSpec(nn.Linear, width, 24)]
    return PipelineModule(layers=layers, num_stages=4, loss_fn=nn.MSELoss())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--steps", type=int, default=2000)
    args = parser.parse_args()
    deepspeed.init_distributed()
    net = build(512, 30)
    engine, _, loader, _ = deepspeed.initialize(
        args=args, model=net, model_parameters=net.parameters(), training_data=WeatherMaps("train"), config=CONFIG
    )
    for step, (fields, following) in enumerate(loader):
        loss = nn.functional.mse_loss(engine(fields), following)  # error: [deepspeed-unsupported-engine-call]
        engine.backward(loss)
        engine.step()
        if step == args.steps:
            break


if __name__ == "__main__":
    main()
