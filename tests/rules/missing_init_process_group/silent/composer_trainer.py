# silent: Composer starts the group in initialize_dist and in its Trainer
import torch
import torch.distributed as torch_dist
from composer import Trainer
from composer.models import ComposerModel
from composer.utils import dist, get_device
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Roast(ComposerModel):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, batch):
        return self.net(batch[0]).squeeze(-1)

    def loss(self, outputs, batch):
        return nn.functional.mse_loss(outputs, batch[1])


def main():
    dist.initialize_dist(get_device(None))
    beans = torch.rand(1500, 8, generator=torch.Generator().manual_seed(61))
    dataset = TensorDataset(beans, beans.sum(dim=1))
    loader = DataLoader(dataset, batch_size=30, sampler=dist.get_sampler(dataset, shuffle=True))
    model = Roast()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    trainer = Trainer(model=model, train_dataloader=loader, optimizers=optimizer, max_duration="2ep")
    trainer.fit()
    if torch_dist.get_rank() == 0:
        print("done on", torch_dist.get_world_size(), "ranks")


if __name__ == "__main__":
    main()
