# silent: Lightning owns the loop and puts the sampler into the loader
import lightning.pytorch as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Thermostat(pl.LightningModule):
    def __init__(self, lr=1e-3):
        super().__init__()
        self.lr = lr
        self.net = nn.Sequential(nn.Linear(12, 48), nn.SiLU(), nn.Linear(48, 1))

    def training_step(self, batch, batch_idx):
        history, setpoint = batch
        loss = nn.functional.mse_loss(self.net(history), setpoint)
        self.log("train_loss", loss, sync_dist=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.net.parameters(), lr=self.lr)

    def train_dataloader(self):
        generator = torch.Generator().manual_seed(4)
        history = torch.randn(6000, 12, generator=generator)
        return DataLoader(TensorDataset(history, history.mean(1, keepdim=True)), batch_size=64, shuffle=True)


def main():
    pl.seed_everything(6)
    trainer = pl.Trainer(accelerator="gpu", devices=4, strategy="ddp", max_epochs=10)
    trainer.fit(Thermostat())


if __name__ == "__main__":
    main()
