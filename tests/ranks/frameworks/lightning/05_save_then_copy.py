import shutil

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Keeper(L.Callback):
    def on_train_epoch_end(self, trainer, module):
        path = f"runs/epoch{trainer.current_epoch}.ckpt"
        trainer.save_checkpoint(path)
        if trainer.is_global_zero:
            shutil.copy(path, "runs/newest.ckpt")


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def training_step(self, batch, index):
        return self.layer(batch[0]).square().mean()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


def main():
    L.seed_everything(0)
    trainer = L.Trainer(
        accelerator="gpu", devices=4, strategy="deepspeed_stage_2", max_epochs=3, callbacks=[Keeper()]
    )
    trainer.fit(Net(), DataLoader(TensorDataset(torch.rand(256, 8)), batch_size=8, shuffle=True))


if __name__ == "__main__":
    main()
