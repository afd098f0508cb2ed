# silent: nothing of this training watches the metric; another script, which trains another model, does
import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Volcano(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(20, 3)

    def training_step(self, batch, index):
        return F.cross_entropy(self.body(batch[0]), batch[1])

    def validation_step(self, batch, index):
        self.log("val_loss", F.cross_entropy(self.body(batch[0]), batch[1]))

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


if __name__ == "__main__":
    data = TensorDataset(torch.load("tremors.pt"), torch.load("kinds.pt"))
    trainer = L.Trainer(accelerator="gpu", devices=4, strategy="ddp", max_epochs=3)
    trainer.fit(Volcano(), DataLoader(data, batch_size=32, shuffle=True), DataLoader(data, batch_size=32))
