# silent: the model of that backward was not prepared: the prepared one is compared with its copy outside the trainer
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


def turn(model, levels, targets, backward):
    loss = F.mse_loss(model(levels), targets)
    backward(loss)
    return loss


def compare(bare, prepared, accelerator, levels, targets):
    loss = F.mse_loss(prepared(levels), targets)
    accelerator.backward(loss)
    reference = F.mse_loss(bare(levels), targets)
    reference.backward()
    return loss, reference


def pair(make):
    bare = make()
    return bare, copy.deepcopy(bare)


def main(make=TideNet):
    accelerator = Accelerator()
    bare, model = pair(make)
    tides = TensorDataset(torch.load("levels.pt"), torch.load("targets.pt"))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(tides, batch_size=32, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    bare.to(accelerator.device)
    for levels, targets in loader:
        compare(bare, model, accelerator, levels, targets)
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main()
