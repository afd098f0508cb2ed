import os

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Glaciers(L.LightningDataModule):
    def prepare_data(self):  # Lightning calls this on one process of each node
        if not os.path.exists("glaciers.pt"):
            torch.save(torch.rand(128, 5), "glaciers.pt")

    def setup(self, stage):
        self.data = TensorDataset(torch.load("glaciers.pt", map_location="cpu"))
        if self.trainer is not None and self.trainer.is_global_zero:
            print(len(self.data), "samples")

    def train_dataloader(self):
        return DataLoader(self.data, batch_size=8, shuffle=True)


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(5, 1)

    def training_step(self, batch, index):
        loss = self.layer(batch[0]).square().mean()
        self.log("loss", loss, sync_dist=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)


if __name__ == "__main__":
    L.seed_everything(0)
    L.Trainer(accelerator="gpu", devices=2, max_epochs=2).fit(Net(), datamodule=Glaciers())
