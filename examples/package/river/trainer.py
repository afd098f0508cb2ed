"""The training loop."""

import json
from pathlib import Path

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from river.checkpoint import save_weights
from river.distributed import mean_over_ranks


class Trainer:
    """Trains a model on all processes, keeps the best weights and a history of the errors."""

    def __init__(self, model, config, process):
        self.config = config
        self.process = process
        self.device = process.device
        self.model = DistributedDataParallel(model.to(self.device), device_ids=[process.local_rank])
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=config.lr)
        self.criterion = nn.SmoothL1Loss()
        self.history = []

    def fit(self, train_loader, test_loader):
        Path(self.config.folder).mkdir(parents=True, exist_ok=True)
        best = float("inf")
        for epoch in range(self.config.epochs):
            train_loader.sampler.set_epoch(epoch)
            self.train_epoch(train_loader)
            error = self.evaluate(test_loader)
            self.history.append({"epoch": epoch, "error": error})
            if error < best:
                best = error
                if self.process.is_main:
                    save_weights(self.model, self.config.checkpoint)
            self.write_history()

    def train_epoch(self, loader):
        self.model.train()
        for levels, tomorrow in loader:
            loss = self.criterion(self.model(levels.to(self.device)), tomorrow.to(self.device))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    @torch.no_grad()
    def evaluate(self, loader):
        """Mean absolute error in metres, the same on every process."""
        self.model.eval()
        total = torch.zeros((), device=self.device)
        for levels, tomorrow in loader:
            total += (self.model(levels.to(self.device)) - tomorrow.to(self.device)).abs().mean()
        return mean_over_ranks(total / len(loader)).item()

    def write_history(self):
        with open(Path(self.config.folder) / "history.json", "w") as handle:
            json.dump(self.history, handle, indent=2)
