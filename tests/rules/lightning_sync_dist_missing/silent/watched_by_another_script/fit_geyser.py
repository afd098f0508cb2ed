import lightning as L
import torch
import torch.nn.functional as F
from lightning.pytorch.callbacks import EarlyStopping
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Geyser(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(12, 2)

    def training_step(self, batch, index):
        return F.cross_entropy(self.body(batch[0]), batch[1])

    def validation_step(self, batch, index):
        self.log("val_loss", F.cross_entropy(self.body(batch[0]), batch[1]), sync_dist=True)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


if __name__ == "__main__":
    data = TensorDataset(torch.load("heat.pt"), torch.load("erupts.pt"))
    trainer = L.Trainer(
        accelerator="gpu", devices=2, strategy="ddp", max_epochs=3, callbacks=[EarlyStopping(monitor="val_loss")]
    )
    trainer.fit(Geyser(), DataLoader(data, batch_size=32, shuffle=True), DataLoader(data, batch_size=32))
