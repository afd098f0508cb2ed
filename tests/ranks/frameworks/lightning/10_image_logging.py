import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Autoencoder(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(64, 4), nn.Linear(4, 64)

    def forward(self, images):
        return self.decoder(self.encoder(images))

    def training_step(self, batch, index):
        loss = nn.functional.mse_loss(self(batch[0]), batch[0])
        self.log("train_loss", loss)
        return loss

    def validation_step(self, batch, index):
        self.log("val_loss", nn.functional.mse_loss(self(batch[0]), batch[0]), sync_dist=True)
        if index == 0 and self.trainer.is_global_zero and self.logger is not None:
            reconstructed = self(batch[0][:4]).reshape(-1, 1, 8, 8)
            self.logger.experiment.add_images("reconstructed", reconstructed, self.current_epoch)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


if __name__ == "__main__":
    pl.seed_everything(0)
    data = TensorDataset(torch.rand(128, 64))
    trainer = pl.Trainer(accelerator="gpu", devices=2, strategy="ddp", max_epochs=2)
    trainer.fit(Autoencoder(), DataLoader(data, batch_size=4, shuffle=True), DataLoader(data, batch_size=4))
