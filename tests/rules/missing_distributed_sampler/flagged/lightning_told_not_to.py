import lightning.pytorch as pl
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class Waves(pl.LightningDataModule):
    def __init__(self, path):
        super().__init__()
        self.path = path

    def setup(self, stage=None):
        table = torch.load(self.path, map_location="cpu")
        self.data = TensorDataset(table["waves"], table["storms"])

    def train_dataloader(self):
        return DataLoader(self.data, batch_size=32, shuffle=True)


class Storms(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Linear(64, 2)

    def training_step(self, batch, batch_idx):
        waves, storms = batch
        return F.cross_entropy(self.net(waves), storms)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


def main():
    trainer = pl.Trainer(accelerator="gpu", devices=4, strategy="ddp", use_distributed_sampler=False)  # expect: missing-distributed-sampler
    trainer.fit(Storms(), datamodule=Waves("waves.pt"))


if __name__ == "__main__":
    main()
