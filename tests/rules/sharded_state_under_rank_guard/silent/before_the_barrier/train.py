import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 1)

    def training_step(self, batch, index):
        return self.layer(batch[0]).mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def main():
    trainer = pl.Trainer(gpus=4, accelerator="ddp", max_epochs=3)
    trainer.fit(Net(), DataLoader(TensorDataset(torch.rand(100, 4)), batch_size=4))
    if trainer.global_rank == 0:
        trainer.save_checkpoint("last.ckpt")


if __name__ == "__main__":
    main()
