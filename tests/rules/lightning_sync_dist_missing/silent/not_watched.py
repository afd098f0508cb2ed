# silent: nobody decides by the metric
import pytorch_lightning as pl
import torch
import torch.nn.functional as F
from pytorch_lightning.callbacks import ModelCheckpoint
from torch.utils.data import DataLoader, TensorDataset


class Digits(pl.LightningModule):
    def __init__(self, rate=1e-3):
        super().__init__()
        self.rate = rate
        self.net = torch.nn.Linear(784, 10)

    def forward(self, images):
        return self.net(images)

    def training_step(self, batch, batch_idx):
        images, labels = batch
        loss = F.cross_entropy(self(images), labels)
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, batch_idx):
        images, labels = batch
        loss = F.cross_entropy(self(images), labels)
        self.log("val_loss", loss)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=self.rate)


def main():
    data = TensorDataset(torch.load("images.pt"), torch.load("labels.pt"))
    held_out = TensorDataset(torch.load("held_out.pt"), torch.load("held_out_labels.pt"))
    trainer = pl.Trainer(accelerator="gpu", devices=4, callbacks=[ModelCheckpoint(every_n_epochs=1, save_top_k=-1)])
    trainer.fit(Digits(), DataLoader(data, batch_size=64, shuffle=True), DataLoader(held_out, batch_size=64))


if __name__ == "__main__":
    main()
