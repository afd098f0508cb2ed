import lightning as L
import torch
from lightning.pytorch.utilities import rank_zero_only
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tower(L.LightningModule):
    def __init__(self, width=64):
        super().__init__()
        self.save_hyperparameters()
        self.net = nn.Sequential(nn.Linear(6, width), nn.ReLU(), nn.Linear(width, 1))

    def training_step(self, batch, index):
        (load,) = batch
        loss = (self.net(load) - load.norm(dim=1, keepdim=True)).square().mean()
        self.report(loss)
        return loss

    @rank_zero_only
    def report(self, loss):
        self.log("load/loss", loss.detach(), on_epoch=True, sync_dist=True)  # expect: collective-under-rank-guard

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


def main():
    loads = torch.rand(5000, 6, generator=torch.Generator().manual_seed(2))
    trainer = L.Trainer(devices=2, strategy="ddp", max_epochs=5)
    trainer.fit(Tower(), DataLoader(TensorDataset(loads), batch_size=50, shuffle=True))


if __name__ == "__main__":
    main()
