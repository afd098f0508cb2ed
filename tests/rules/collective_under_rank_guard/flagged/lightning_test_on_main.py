import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Pitch(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(40, 12)

    def training_step(self, batch, index):
        sound, note = batch
        return nn.functional.cross_entropy(self.net(sound), note)

    def test_step(self, batch, index):
        sound, note = batch
        self.log("right", (self.net(sound).argmax(1) == note).float().mean(), sync_dist=True)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)


def notes(count, seed):
    sound = torch.rand(count, 40, generator=torch.Generator().manual_seed(seed))
    return TensorDataset(sound, sound[:, :12].argmax(1))


def main():
    trainer = L.Trainer(devices=8, strategy="ddp", max_epochs=2)
    net = Pitch()
    trainer.fit(net, DataLoader(notes(9000, 0), batch_size=100, shuffle=True))
    if trainer.global_rank == 0:
        trainer.test(net, DataLoader(notes(900, 1), batch_size=100))  # expect: collective-under-rank-guard


if __name__ == "__main__":
    main()
