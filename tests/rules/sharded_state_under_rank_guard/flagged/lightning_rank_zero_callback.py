import lightning as L
import torch
from lightning.pytorch.callbacks import Callback
from lightning.pytorch.utilities import rank_zero_only
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Milestones(Callback):
    def __init__(self, epochs):
        self.epochs = set(epochs)

    @rank_zero_only
    def on_train_epoch_end(self, trainer, pl_module):
        if trainer.current_epoch in self.epochs:
            trainer.save_checkpoint(f"milestone-{trainer.current_epoch}.ckpt")  # error: [sharded-state-under-rank-guard]


class Bridge(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(20, 20)

    def training_step(self, batch, index):
        (span,) = batch
        return (self.net(span) - span).abs().mean()

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters())


if __name__ == "__main__":
    spans = torch.rand(1280, 20, generator=torch.Generator().manual_seed(0))
    trainer = L.Trainer(devices=2, strategy="fsdp", max_epochs=20, callbacks=[Milestones([5, 10])])
    trainer.fit(Bridge(), DataLoader(TensorDataset(spans), batch_size=64, shuffle=True))
