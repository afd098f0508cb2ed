# silent: a function that only Tune runs: every trial is one process
import os

import torch
from ray import train, tune
from torch import nn


def trial(config):
    torch.manual_seed(config["seed"])
    net = nn.Linear(8, 1)
    optimizer = torch.optim.Adam(net.parameters(), lr=config["lr"])
    for step in range(50):
        loss = net(torch.rand(32, 8)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if int(os.environ.get("RANK", "0")) == 0 and step % 10 == 0:
            train.report({"loss": loss.item()})


if __name__ == "__main__":
    space = {"lr": tune.loguniform(1e-4, 1e-1), "seed": tune.grid_search([0, 1, 2])}
    tuner = tune.Tuner(trial, param_space=space, tune_config=tune.TuneConfig(metric="loss", mode="min", num_samples=4))
    print(tuner.fit().get_best_result().config)
