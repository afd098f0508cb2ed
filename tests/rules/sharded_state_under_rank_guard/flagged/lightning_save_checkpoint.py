import lightning.pytorch as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Kelp(pl.LightningModule):
    def __init__(self, width=128):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(16, width), nn.ReLU(), nn.Linear(width, 16))

    def training_step(self, batch, index):
        (blade,) = batch
        return (self.net(blade) - blade).square().mean()

    def on_train_epoch_end(self):
        if self.trainer.is_global_zero:
            self.trainer.save_checkpoint("kelp-last.ckpt")  # expect: sharded-state-under-rank-guard

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


if __name__ == "__main__":
    blades = torch.rand(3200, 16, generator=torch.Generator().manual_seed(0))
    trainer = pl.Trainer(devices=4, strategy="ddp", max_epochs=6)
    trainer.fit(Kelp(), DataLoader(TensorDataset(blades), batch_size=64, shuffle=True))
