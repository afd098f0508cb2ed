# silent: the driver starts the workers, and is one process
"""Fits tides on a Ray cluster."""

import json
import os

import ray.train
import torch
from ray.train import ScalingConfig
from ray.train.torch import TorchTrainer, prepare_model
from torch import nn


def work(config: dict[str, int]) -> None:
    net = prepare_model(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(config["steps"]):
        optimizer.zero_grad()
        net(torch.randn(2, 4)).mean().backward()
        optimizer.step()
    if ray.train.get_context().get_world_rank() == 0:
        torch.save(net.module.state_dict(), "net.pt")
    ray.train.report({"steps": config["steps"]})


def main() -> None:
    os.makedirs("out")
    trainer = TorchTrainer(work, train_loop_config={"steps": 9}, scaling_config=ScalingConfig(num_workers=4))
    result = trainer.fit()
    with open("out/tides.json", "w") as file:
        json.dump({"metrics": str(result)}, file)


if __name__ == "__main__":
    main()
