import lightning as L
import torch
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(7, 1)

    def training_step(self, batch, index):
        return self.layer(batch[0]).square().mean()

    def validation_step(self, batch, index):
        self.log("val_loss", self.layer(batch[0]).square().mean(), sync_dist=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


def main():
    L.seed_everything(4)
    data = TensorDataset(torch.rand(128, 7))
    best = ModelCheckpoint(monitor="val_loss")
    trainer = L.Trainer(
        accelerator="gpu", devices=2, strategy="ddp", max_epochs=9, callbacks=[best, EarlyStopping("val_loss")]
    )
    trainer.fit(Net(), DataLoader(data, batch_size=4, shuffle=True), DataLoader(data, batch_size=4))
    if trainer.is_global_zero:
        model = Net.load_from_checkpoint(best.best_model_path, map_location="cpu")
        with torch.no_grad():
            print(model.layer(torch.ones(1, 7)).item())
    trainer.strategy.barrier()


if __name__ == "__main__":
    main()
