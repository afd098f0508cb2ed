# silent: the hook saves on every process; rank 0 writes a note
import lightning.pytorch as pl
import torch
from lightning.pytorch.callbacks import ModelCheckpoint
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Dune(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(16, 16)

    def training_step(self, batch, index):
        (sand,) = batch
        return (self.net(sand) - sand).square().mean()

    def on_train_epoch_end(self):
        self.trainer.save_checkpoint("dune-last.ckpt")
        if self.trainer.is_global_zero:
            with open("dune.txt", "a") as file:
                file.write(f"{self.current_epoch}\n")

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


if __name__ == "__main__":
    sands = torch.rand(3200, 16, generator=torch.Generator().manual_seed(0))
    trainer = pl.Trainer(devices=4, strategy="fsdp", max_epochs=6, callbacks=[ModelCheckpoint("dunes")])
    trainer.fit(Dune(), DataLoader(TensorDataset(sands), batch_size=64, shuffle=True))
