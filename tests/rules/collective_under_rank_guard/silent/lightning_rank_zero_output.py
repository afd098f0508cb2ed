# silent: rank_zero_info, a logger's own calls, log with rank_zero_only, and writing of files
import json

import lightning.pytorch as pl
import torch
from lightning.pytorch.loggers import TensorBoardLogger
from lightning.pytorch.utilities import rank_zero_info, rank_zero_only
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Vane(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(7, 1)

    def training_step(self, batch, index):
        (wind,) = batch
        loss = (self.net(wind) - wind.mean(1, keepdim=True)).square().mean()
        if self.trainer.is_global_zero:
            self.log("loss", loss.detach(), rank_zero_only=True)
        if index % 10 == 0:
            self.log("mean_loss", loss.detach(), sync_dist=True)
        return loss

    def on_train_epoch_end(self):
        rank_zero_info(f"epoch {self.current_epoch} is over")
        self.write({"epoch": self.current_epoch})
        if self.current_epoch % 2 == 0:
            self.trainer.strategy.barrier()

    @rank_zero_only
    def write(self, values):
        with open("vane.json", "w") as file:
            json.dump(values, file)
        self.logger.experiment.add_scalar("epoch", values["epoch"], self.global_step)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


if __name__ == "__main__":
    winds = torch.rand(2000, 7, generator=torch.Generator().manual_seed(0))
    trainer = pl.Trainer(devices=2, strategy="ddp", max_epochs=4, logger=TensorBoardLogger("logs"))
    trainer.fit(Vane(), DataLoader(TensorDataset(winds), batch_size=32, shuffle=True))
