import lightning as L
import torch
from torch import nn

from streams import Windows


class Listener(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 64))

    def training_step(self, sound, index):
        return nn.functional.mse_loss(self.net(sound), sound)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


if __name__ == "__main__":
    L.seed_everything(5)
    trainer = L.Trainer(accelerator="gpu", devices=4, strategy="ddp", max_epochs=4)  # related: [trainer-loader-not-divided]
    trainer.fit(Listener(), Windows(torch.randn(100_000), 64, 32))  # error: [trainer-loader-not-divided]
