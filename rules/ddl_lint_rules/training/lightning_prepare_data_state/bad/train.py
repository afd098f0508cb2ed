import lightning as L
import torch
from data import Digits
from torch import nn


class Classifier(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(784, 10)

    def training_step(self, batch, batch_idx):
        images, labels = batch
        return nn.functional.cross_entropy(self.net(images), labels)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


if __name__ == "__main__":
    trainer = L.Trainer(accelerator="gpu", devices=4, strategy="ddp")  # related: [lightning-prepare-data-state]
    trainer.fit(Classifier(), datamodule=Digits())
