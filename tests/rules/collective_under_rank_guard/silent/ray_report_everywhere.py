# silent: every worker reports; rank 0 alone hands over a checkpoint
import os
import tempfile

import ray.train
import torch
from ray.train import Checkpoint, ScalingConfig
from ray.train.torch import TorchTrainer, prepare_model
from torch import nn


def train_loop(config):
    net = prepare_model(nn.Linear(3, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=config["lr"])
    rank = ray.train.get_context().get_world_rank()
    generator = torch.Generator().manual_seed(rank)
    for _ in range(5):
        loss = net(torch.rand(32, 3, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        metrics = {"loss": loss.item()}
        with tempfile.TemporaryDirectory() as folder:
            checkpoint = None
            if rank == 0:
                torch.save(net.module.state_dict(), os.path.join(folder, "net.pt"))
                checkpoint = Checkpoint.from_directory(folder)
            ray.train.report(metrics, checkpoint=checkpoint)


if __name__ == "__main__":
    TorchTrainer(train_loop, train_loop_config={"lr": 0.01}, scaling_config=ScalingConfig(num_workers=3)).fit()
