import os

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, model, loader, optimizer, snapshot):
        self.local_rank = int(os.environ["LOCAL_RANK"])
        self.global_rank = int(os.environ["RANK"])
        self.model = model.to(self.local_rank)
        self.loader = loader
        self.optimizer = optimizer
        self.snapshot = snapshot
        self.next_epoch = 0
        if os.path.exists(snapshot):
            self._restore()
        self.model = DDP(self.model, device_ids=[self.local_rank])

    def _restore(self):
        content = torch.load(self.snapshot)  # error: [load-without-map-location]
        self.model.load_state_dict(content["weights"])
        self.next_epoch = content["epoch"] + 1

    def _store(self, epoch):
        torch.save({"weights": self.model.module.state_dict(), "epoch": epoch}, self.snapshot)

    def fit(self, epochs):
        for epoch in range(self.next_epoch, epochs):
            self.loader.sampler.set_epoch(epoch)
            for image, label in self.loader:
                self.optimizer.zero_grad()
                logits = self.model(image.to(self.local_rank))
                nn.functional.cross_entropy(logits, label.to(self.local_rank)).backward()
                self.optimizer.step()
            if self.global_rank == 0:
                self._store(epoch)
