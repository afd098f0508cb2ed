# silent: a torchmetrics object gathers over the ranks
import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from pytorch_lightning.callbacks import EarlyStopping, ModelCheckpoint
from torch.utils.data import DataLoader, TensorDataset
from torchmetrics import MaxMetric
from torchmetrics.classification import MulticlassAccuracy


class Digits(pl.LightningModule):
    def __init__(self, rate=1e-3):
        super().__init__()
        self.rate = rate
        self.net = torch.nn.Linear(784, 10)
        self.accuracy = MulticlassAccuracy(10)
        self.best = MaxMetric()

    def forward(self, images):
        return self.net(images)

    def training_step(self, batch, batch_idx):
        images, labels = batch
        loss = F.cross_entropy(self(images), labels)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        images, labels = batch
        self.accuracy.update(self(images), labels)
        self.log("val_acc", self.accuracy, on_epoch=True)

    def on_validation_epoch_end(self):
        self.log("val_best", self.best(self.accuracy.compute()))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.rate)


def main():
    data = TensorDataset(torch.load("images.pt"), torch.load("labels.pt"))
    held_out = TensorDataset(torch.load("held_out.pt"), torch.load("held_out_labels.pt"))
    trainer = pl.Trainer(accelerator="gpu", devices=4, strategy="ddp", callbacks=[ModelCheckpoint(monitor="val_acc"), EarlyStopping("val_best")])
    trainer.fit(Digits(), DataLoader(data, batch_size=64, shuffle=True), DataLoader(held_out, batch_size=64))


if __name__ == "__main__":
    main()
