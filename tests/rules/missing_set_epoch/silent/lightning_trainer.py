# silent: Lightning calls set_epoch on the sampler of each loader
import lightning as L
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Beats(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(50, 25), nn.ReLU(), nn.Linear(25, 1))

    def training_step(self, batch, batch_idx):
        pulse, rate = batch
        return nn.functional.mse_loss(self.net(pulse), rate)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)

    def train_dataloader(self):
        generator = torch.Generator().manual_seed(3)
        pulse = torch.randn(4000, 50, generator=generator)
        data = TensorDataset(pulse, pulse.diff(dim=1).mean(1, keepdim=True))
        sampler = DistributedSampler(data, shuffle=True) if dist.is_initialized() else None
        return DataLoader(data, batch_size=40, sampler=sampler)


if __name__ == "__main__":
    L.seed_everything(1)
    trainer = L.Trainer(devices=2, strategy="ddp", max_epochs=8, use_distributed_sampler=False)
    trainer.fit(Beats())
