import os
import tempfile

import ray.train
import torch
from ray.train import Checkpoint, RunConfig, ScalingConfig
from ray.train.torch import TorchTrainer, prepare_data_loader, prepare_model
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def loop(config):
    torch.manual_seed(0)
    loader = prepare_data_loader(DataLoader(TensorDataset(torch.rand(256, 4)), batch_size=8, shuffle=True))
    model = prepare_model(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=config["lr"])
    for epoch in range(config["epochs"]):
        if ray.train.get_context().get_world_size() > 1:
            loader.sampler.set_epoch(epoch)
        for (batch,) in loader:
            optimizer.zero_grad()
            loss = model(batch).square().mean()
            loss.backward()
            optimizer.step()
        with tempfile.TemporaryDirectory() as folder:
            checkpoint = None
            if ray.train.get_context().get_world_rank() == 0:
                torch.save(model.module.state_dict(), os.path.join(folder, "model.pt"))
                checkpoint = Checkpoint.from_directory(folder)
            ray.train.report({"loss": loss.item()}, checkpoint=checkpoint)


if __name__ == "__main__":
    trainer = TorchTrainer(
        loop,
        train_loop_config={"lr": 0.1, "epochs": 3},
        scaling_config=ScalingConfig(num_workers=4, use_gpu=True),
        run_config=RunConfig(name="bogs"),
    )
    print(trainer.fit().metrics)
