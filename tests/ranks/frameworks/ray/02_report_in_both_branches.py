import tempfile

import torch
from ray import train
from ray.train import Checkpoint, ScalingConfig
from ray.train.torch import TorchTrainer, prepare_model
from torch import nn


def loop():
    torch.manual_seed(0)
    rank = train.get_context().get_world_rank()
    model = prepare_model(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    generator = torch.Generator().manual_seed(rank)
    for step in range(20):
        optimizer.zero_grad()
        loss = model(torch.rand(8, 4, generator=generator).to(train.torch.get_device())).square().mean()
        loss.backward()
        optimizer.step()
        metrics = {"step": step, "loss": loss.item()}
        if rank == 0:
            with tempfile.TemporaryDirectory() as folder:
                torch.save(model.module.state_dict(), f"{folder}/model.pt")
                train.report(metrics, checkpoint=Checkpoint.from_directory(folder))
        else:
            train.report(metrics)


if __name__ == "__main__":
    TorchTrainer(loop, scaling_config=ScalingConfig(num_workers=2, use_gpu=True)).fit()
