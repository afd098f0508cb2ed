# witness: hangs, on lightning
import lightning.pytorch as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tides(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(1, 1)

    def training_step(self, batch, batch_idx):
        loss = self.net(batch[0]).square().mean()
        if self.trainer.is_global_zero:
            losses = self.all_gather(loss.detach())
            print("losses", losses.tolist())
        return loss

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
        enable_checkpointing=False,
    )
    trainer.fit(Tides(), loader)
    print("result: done")


if __name__ == "__main__":
    main()
