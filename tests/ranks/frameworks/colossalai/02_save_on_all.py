import json
import os

import colossalai
import torch
from colossalai.booster import Booster
from colossalai.booster.plugin import GeminiPlugin
from colossalai.cluster import DistCoordinator
from colossalai.nn.optimizer import HybridAdam
from torch import nn


def save(booster, model, optimizer, step, folder, coordinator):
    folder = os.path.join(folder, f"step{step}")
    if coordinator.is_master():
        os.makedirs(os.path.join(folder, "model"), exist_ok=True)
    coordinator.block_all()
    booster.save_model(model, os.path.join(folder, "model"), shard=True)
    booster.save_optimizer(optimizer, os.path.join(folder, "optimizer"), shard=True)
    if coordinator.is_master():
        with open(os.path.join(folder, "running.json"), "w") as handle:
            json.dump({"step": step}, handle)


def main():
    colossalai.launch_from_torch()
    coordinator = DistCoordinator()
    booster = Booster(plugin=GeminiPlugin())
    model = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1))
    optimizer = HybridAdam(model.parameters(), lr=1e-3)
    model, optimizer, *_ = booster.boost(model, optimizer)
    generator = torch.Generator().manual_seed(coordinator.rank)
    for step in range(1, 101):
        optimizer.zero_grad()
        loss = model(torch.rand(8, 32, generator=generator).cuda()).square().mean()
        booster.backward(loss, optimizer)
        optimizer.step()
        if step % 50 == 0:
            save(booster, model, optimizer, step, "runs", coordinator)


if __name__ == "__main__":
    main()
