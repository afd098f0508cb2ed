import tempfile

import ray.train.torch
import torch
from ray.train import Checkpoint, ScalingConfig
from torch import nn


def make_checkpoint(model, folder):
    torch.save(model.module.state_dict(), f"{folder}/weights.pt")
    return Checkpoint.from_directory(folder)


def loop(config):
    torch.manual_seed(0)
    context = ray.train.get_context()
    model = ray.train.torch.prepare_model(nn.Linear(3, 3))
    optimizer = torch.optim.Adam(model.parameters())
    generator = torch.Generator().manual_seed(context.get_world_rank())
    for _ in range(config["steps"]):
        optimizer.zero_grad()
        batch = torch.rand(4, 3, generator=generator).to(ray.train.torch.get_device())
        loss = model(batch).abs().mean()
        loss.backward()
        optimizer.step()
        with tempfile.TemporaryDirectory() as folder:
            ray.train.report(
                {"loss": loss.item()},
                checkpoint=make_checkpoint(model, folder) if context.get_world_rank() == 0 else None,
            )


if __name__ == "__main__":
    scaling = ScalingConfig(num_workers=2, use_gpu=True)
    ray.train.torch.TorchTrainer(loop, train_loop_config={"steps": 5}, scaling_config=scaling).fit()
