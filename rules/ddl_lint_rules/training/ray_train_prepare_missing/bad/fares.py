"""Trains a model of taxi fares on Ray workers."""

import ray.train
import torch
import torch.nn.functional as F
from ray.train import RunConfig, ScalingConfig
from ray.train.torch import TorchTrainer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def fares(path):
    table = torch.load(path, map_location="cpu")
    return TensorDataset(table["trips"], table["fares"])


def train_loop(config):
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1))  # error: [ray-train-prepare-missing]
    loader = DataLoader(fares(config["data"]), batch_size=128, shuffle=True)  # error: [ray-train-prepare-missing]
    optimizer = torch.optim.Adam(model.parameters(), lr=config["rate"])
    for epoch in range(config["epochs"]):
        if ray.train.get_context().get_world_size() > 1 and hasattr(loader.sampler, "set_epoch"):
            loader.sampler.set_epoch(epoch)
        for trips, paid in loader:
            loss = F.mse_loss(model(trips), paid)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        ray.train.report({"epoch": epoch, "loss": loss.item()})


def main():
    trainer = TorchTrainer(
        train_loop,
        train_loop_config={"rate": 1e-3, "epochs": 8, "data": "/data/fares.pt"},
        scaling_config=ScalingConfig(num_workers=4, use_gpu=False),
        run_config=RunConfig(name="fares"),
    )
    print(trainer.fit().metrics)


if __name__ == "__main__":
    main()
