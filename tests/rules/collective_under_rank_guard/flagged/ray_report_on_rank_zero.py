import os
import tempfile

import ray.train
import torch
from ray.train import Checkpoint, ScalingConfig
from ray.train.torch import TorchTrainer, prepare_model
from torch import nn


def train_loop(config):
    net = prepare_model(nn.Linear(10, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=config["lr"])
    context = ray.train.get_context()
    generator = torch.Generator().manual_seed(context.get_world_rank())
    for epoch in range(config["epochs"]):
        for _ in range(100):
            honey = torch.rand(32, 10, generator=generator).to(ray.train.torch.get_device())
            loss = (net(honey) - honey.mean(1, keepdim=True)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if context.get_world_rank() == 0:
            with tempfile.TemporaryDirectory() as folder:
                torch.save(net.module.state_dict(), os.path.join(folder, "honey.pt"))
                ray.train.report({"loss": loss.item()}, checkpoint=Checkpoint.from_directory(folder))  # expect: collective-under-rank-guard


if __name__ == "__main__":
    trainer = TorchTrainer(
        train_loop,
        train_loop_config={"lr": 1e-3, "epochs": 5},
        scaling_config=ScalingConfig(num_workers=4, use_gpu=True),
    )
    trainer.fit()
