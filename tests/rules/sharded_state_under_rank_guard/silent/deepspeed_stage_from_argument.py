# silent: the user chooses the stage, and below 3 nothing is gathered
import argparse

import deepspeed
import torch
from torch import nn


def settings(stage):
    return {
        "train_micro_batch_size_per_gpu": 4,
        "optimizer": {"type": "AdamW", "params": {"lr": 1e-5}},
        "zero_optimization": {"stage": stage},
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--stage", type=int, default=3)
    args = parser.parse_args()
    net = nn.Linear(90, 90)
    engine, _, _, _ = deepspeed.initialize(
        model=net, model_parameters=net.parameters(), config=settings(args.stage)
    )
    generator = torch.Generator().manual_seed(engine.global_rank)
    for _ in range(100):
        mills = torch.rand(4, 90, generator=generator).to(engine.device)
        loss = (engine(mills) - mills).square().mean()
        engine.backward(loss)
        engine.step()
    if engine.global_rank == 0:
        engine.save_16bit_model("export")


if __name__ == "__main__":
    main()
