import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(6, 1)
        self.errors = []

    def training_step(self, batch, index):
        return self.layer(batch[0]).square().mean()

    def validation_step(self, batch, index):
        self.errors.append(self.layer(batch[0]).abs().mean())

    def on_validation_epoch_end(self):
        everything = self.all_gather(torch.stack(self.errors))
        self.errors.clear()
        if self.trainer.is_global_zero:
            print("mean error", everything.mean().item())
        self.log("val_error", everything.mean(), sync_dist=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


def main():
    L.seed_everything(3)
    data = TensorDataset(torch.rand(256, 6))
    trainer = L.Trainer(accelerator="gpu", devices=4, strategy="ddp", max_epochs=3)
    trainer.fit(Regressor(), DataLoader(data, batch_size=16, shuffle=True), DataLoader(data, batch_size=16))


if __name__ == "__main__":
    main()
