import argparse

import lightning.pytorch as pl
import torch
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint
from model import TideModel
from torch.utils.data import DataLoader, TensorDataset


class TideData(pl.LightningDataModule):
    def __init__(self, path, batch_size=256):
        super().__init__()
        self.path, self.batch_size = path, batch_size

    def setup(self, stage=None):
        tables = torch.load(self.path, map_location="cpu")
        self.train = TensorDataset(tables["train_levels"], tables["train_targets"])
        self.val = TensorDataset(tables["val_levels"], tables["val_targets"])

    def train_dataloader(self):
        return DataLoader(self.train, batch_size=self.batch_size, shuffle=True, num_workers=2)

    def val_dataloader(self):
        return DataLoader(self.val, batch_size=self.batch_size, num_workers=2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--hours", type=int, default=48)
    args = parser.parse_args()

    pl.seed_everything(11)
    trainer = pl.Trainer(
        accelerator="gpu",
        devices=2,
        strategy="ddp",
        max_epochs=60,
        callbacks=[ModelCheckpoint(monitor="val_loss", mode="min"), EarlyStopping(monitor="val_loss", patience=5)],
    )
    trainer.fit(TideModel(args.hours), datamodule=TideData(args.data))


if __name__ == "__main__":
    main()
