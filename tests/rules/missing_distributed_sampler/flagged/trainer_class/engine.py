import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, model, dataset, optimizer_class, local_rank, batch_size):
        self.device = torch.device("cuda", local_rank)
        self.model = DDP(model.to(self.device), device_ids=[local_rank])
        self.optimizer = optimizer_class(self.model.parameters(), lr=1e-3)
        self.batch_size = batch_size
        self.train_loader = self._loader(dataset)

    def _loader(self, dataset):
        return DataLoader(dataset, batch_size=self.batch_size, shuffle=True, pin_memory=True)  # error: [missing-distributed-sampler]

    def _step(self, batch):
        signal, quality = (part.to(self.device, non_blocking=True) for part in batch)
        self.optimizer.zero_grad()
        loss = nn.functional.mse_loss(self.model(signal), quality)
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def fit(self, epochs):
        for _ in range(epochs):
            self.model.train()
            for batch in self.train_loader:
                self._step(batch)
