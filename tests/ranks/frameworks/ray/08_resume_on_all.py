import os
import tempfile

import torch
from ray import train
from ray.train import Checkpoint, ScalingConfig
from ray.train.torch import TorchTrainer, get_device, prepare_model
from torch import nn


def loop(config):
    torch.manual_seed(0)
    net = nn.Linear(4, 4)
    start = 0
    checkpoint = train.get_checkpoint()
    if checkpoint:
        with checkpoint.as_directory() as folder:
            saved = torch.load(os.path.join(folder, "state.pt"), map_location="cpu")
            net.load_state_dict(saved["model"])
            start = saved["epoch"] + 1
    model = prepare_model(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    rank = train.get_context().get_world_rank()
    generator = torch.Generator().manual_seed(rank)
    for epoch in range(start, config["epochs"]):
        optimizer.zero_grad()
        model(torch.rand(8, 4, generator=generator).to(get_device())).square().mean().backward()
        optimizer.step()
        kept = None
        folder = tempfile.mkdtemp()
        if rank == 0:
            torch.save({"model": model.module.state_dict(), "epoch": epoch}, os.path.join(folder, "state.pt"))
            kept = Checkpoint.from_directory(folder)
        train.report({"epoch": epoch}, checkpoint=kept)


if __name__ == "__main__":
    scaling = ScalingConfig(num_workers=2, use_gpu=True)
    TorchTrainer(loop, train_loop_config={"epochs": 5}, scaling_config=scaling).fit()
