# silent: both arms report
import os
import tempfile

import torch
from ray import train
from ray.train import Checkpoint, ScalingConfig
from ray.train.torch import TorchTrainer, prepare_model
from torch import nn


def train_loop():
    rank = train.get_context().get_world_rank()
    net = prepare_model(nn.Linear(6, 1))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    generator = torch.Generator().manual_seed(rank)
    for _ in range(10):
        loss = net(torch.rand(16, 6, generator=generator)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if rank == 0:
            with tempfile.TemporaryDirectory() as folder:
                torch.save(net.module.state_dict(), os.path.join(folder, "net.pt"))
                train.report({"loss": loss.item()}, checkpoint=Checkpoint.from_directory(folder))
        else:
            train.report({"loss": loss.item()})


if __name__ == "__main__":
    TorchTrainer(train_loop, scaling_config=ScalingConfig(num_workers=2)).fit()
