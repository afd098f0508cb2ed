# silent: one process alone trains, as the trainer is told: there is nobody else to wait
import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Glacier(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(20, 3)

    def training_step(self, batch, index):
        return F.cross_entropy(self.body(batch[0]), batch[1])

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


if __name__ == "__main__":
    data = TensorDataset(torch.load("ice.pt"), torch.load("kinds.pt"))
    trainer = L.Trainer(accelerator="gpu", devices=1, strategy="fsdp", max_epochs=3)
    trainer.fit(Glacier(), DataLoader(data, batch_size=32, shuffle=True))
    if trainer.is_global_zero:
        trainer.save_checkpoint("glacier.ckpt")
