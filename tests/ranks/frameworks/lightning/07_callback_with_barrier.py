import json

import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Report(pl.Callback):
    def __init__(self, path):
        self.path = path
        self.seen = torch.zeros(1)

    def on_validation_batch_end(self, trainer, module, outputs, batch, batch_idx, dataloader_idx=0):
        self.seen += len(batch[0])

    def on_validation_end(self, trainer, module):
        seen = trainer.strategy.reduce(self.seen.to(module.device), reduce_op="sum")
        if trainer.is_global_zero and not trainer.sanity_checking:
            with open(self.path, "w") as handle:
                json.dump({"seen": seen.item()}, handle)
        trainer.strategy.barrier()


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(5, 1)

    def training_step(self, batch, index):
        return self.layer(batch[0]).square().mean()

    def validation_step(self, batch, index):
        return self.layer(batch[0]).square().mean()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)


if __name__ == "__main__":
    pl.seed_everything(0)
    data = TensorDataset(torch.rand(64, 5))
    trainer = pl.Trainer(accelerator="gpu", devices=2, strategy="ddp", max_epochs=2, callbacks=[Report("seen.json")])
    trainer.fit(Net(), DataLoader(data, batch_size=4, shuffle=True), DataLoader(data, batch_size=4))
