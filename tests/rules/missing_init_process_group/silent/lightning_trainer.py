# silent: Lightning's Trainer starts the group before it calls the hooks
import lightning as L
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class PollenCounter(L.LightningModule):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(7, width), nn.ReLU(), nn.Linear(width, 1))

    def training_step(self, batch, batch_index):
        weather, count = batch
        loss = nn.functional.smooth_l1_loss(self.net(weather).squeeze(-1), count)
        self.log("loss", loss)
        return loss

    def on_train_epoch_end(self):
        seen = torch.ones(1, device=self.device)
        dist.all_reduce(seen)
        if dist.get_rank() == 0:
            print("processes:", int(seen.item()))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


def main():
    L.seed_everything(17)
    weather = torch.rand(4096, 7)
    dataset = TensorDataset(weather, weather.mean(dim=1) * 40)
    loader = DataLoader(dataset, batch_size=64, shuffle=True)
    trainer = L.Trainer(max_epochs=3, accelerator="auto", devices="auto", strategy="ddp")
    trainer.fit(PollenCounter(), loader)


if __name__ == "__main__":
    main()
