# silent: the other model is the reference with which the prepared one of the same class is compared
import copy

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TideNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(24, 6)

    def forward(self, levels):
        return self.body(levels)


def turn(model, levels, targets, accelerator):
    model.train()
    accelerator.backward(F.mse_loss(model(levels), targets))


def main():
    accelerator = Accelerator()
    bare = TideNet()
    model = copy.deepcopy(bare)
    bare.to(accelerator.device)
    bare_optimizer = torch.optim.SGD(bare.parameters(), lr=0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    tides = TensorDataset(torch.load("levels.pt"), torch.load("targets.pt"))
    loader = DataLoader(tides, batch_size=32, shuffle=True)
    model, optimizer, bare_optimizer, loader = accelerator.prepare(model, optimizer, bare_optimizer, loader)
    for levels, targets in loader:
        turn(bare, levels, targets, accelerator)
        turn(model, levels, targets, accelerator)
        optimizer.step()
        bare_optimizer.step()
        optimizer.zero_grad()
        bare_optimizer.zero_grad()


if __name__ == "__main__":
    main()
