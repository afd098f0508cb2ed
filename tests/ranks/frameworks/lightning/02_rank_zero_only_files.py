import json

import pytorch_lightning as pl
import torch
from pytorch_lightning.utilities import rank_zero_info, rank_zero_only
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tagger(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    @rank_zero_only
    def write_labels(self, path):
        with open(path, "w") as handle:
            json.dump(["noun", "verb"], handle)

    def on_fit_start(self):
        self.write_labels("labels.json")
        rank_zero_info("labels written")

    def training_step(self, batch, index):
        loss = self.layer(batch[0]).logsumexp(-1).mean()
        self.log("loss", loss, rank_zero_only=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def main():
    pl.seed_everything(1)
    loader = DataLoader(TensorDataset(torch.rand(128, 4)), batch_size=8, shuffle=True)
    trainer = pl.Trainer(accelerator="gpu", devices=2, strategy="ddp", max_epochs=2)
    trainer.fit(Tagger(), loader)


if __name__ == "__main__":
    main()
