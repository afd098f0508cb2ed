# witness: differs, on lightning
import lightning.pytorch as pl
import torch
from lightning.pytorch.callbacks import ModelCheckpoint
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tides(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(1, 1)

    def training_step(self, batch, batch_idx):
        return self.net(batch[0]).square().mean()

    def validation_step(self, batch, batch_idx):
        self.log("val_loss", batch[0].mean())

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)


def main():
    pl.seed_everything(0)
    loader = DataLoader(TensorDataset(torch.arange(16.0).unsqueeze(1)), batch_size=4)
    trainer = pl.Trainer(
        accelerator="cpu",
        devices=2,
        strategy="ddp",
        max_epochs=1,
        logger=False,
        enable_progress_bar=False,
        num_sanity_val_steps=0,
        callbacks=[ModelCheckpoint(monitor="val_loss")],
    )
    trainer.fit(Tides(), loader, loader)
    print("result:", trainer.callback_metrics["val_loss"].item())


if __name__ == "__main__":
    main()
