import datetime
import os

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class RunFolder(L.Callback):
    def setup(self, trainer, module, stage):
        name = datetime.datetime.now().strftime("run-%H%M%S") if trainer.is_global_zero else None
        name = trainer.strategy.broadcast(name, src=0)
        if trainer.is_global_zero:
            os.makedirs(os.path.join("runs", name), exist_ok=True)
        trainer.strategy.barrier("folder")
        self.folder = os.path.join("runs", name)


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 1)

    def training_step(self, batch, index):
        if self.global_rank == 0 and index == 0:
            print("first batch of the epoch")
        return self.layer(batch[0]).square().mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)


if __name__ == "__main__":
    L.seed_everything(0)
    trainer = L.Trainer(accelerator="gpu", devices=8, max_epochs=2, callbacks=[RunFolder()])
    trainer.fit(Net(), DataLoader(TensorDataset(torch.rand(64, 3)), batch_size=4, shuffle=True))
