import lightning.pytorch as pl
import torch
from torch import nn


class TideModel(pl.LightningModule):
    """Forecasts the water level of the next hours."""

    def __init__(self, hours: int, hidden: int = 128, rate: float = 3e-4):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(hours, hidden), nn.ReLU(), nn.Linear(hidden, 6))

    def forward(self, levels):
        return self.net(levels)

    def training_step(self, batch, batch_idx):
        levels, target = batch
        loss = nn.functional.mse_loss(self(levels), target)
        self.log("train_loss", loss, prog_bar=True)
        return loss

    def validation_step(self, batch, batch_idx):
        levels, target = batch
        loss = nn.functional.mse_loss(self(levels), target)
        self.log("val_loss", loss, prog_bar=True)  # error: [lightning-sync-dist-missing]

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.hparams.rate)
