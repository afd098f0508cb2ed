import json
import os
from pathlib import Path

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, model, loader, args):
        self.gpu = int(os.environ["LOCAL_RANK"])
        self.args = args
        self.folder = Path(args.folder)
        self.loader = loader
        self.model = DDP(model.to(self.gpu), device_ids=[self.gpu])
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=args.lr)

    def fit(self):
        self.folder.mkdir(parents=True)  # error: [unguarded-filesystem-write]
        for epoch in range(self.args.epochs):
            self.loader.sampler.set_epoch(epoch)
            self._epoch()
            if epoch % self.args.save_every == 0:
                self._save_checkpoint(epoch)

    def _epoch(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            nn.functional.huber_loss(self.model(x.to(self.gpu)), y.to(self.gpu)).backward()
            self.optimizer.step()

    def _save_checkpoint(self, epoch):
        content = {"epoch": epoch, "model": self.model.module.state_dict()}
        torch.save(content, self.folder / "checkpoint.pt")  # error: [unguarded-filesystem-write]
        with open(self.folder / "args.json", "w") as handle:  # error: [unguarded-filesystem-write]
            json.dump(vars(self.args), handle)
