# silent: the model of that backward was not prepared: the function asks for the kind of model first
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ShardedModel(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x)


def turn(model, accelerator, dunes, winds):
    loss = F.mse_loss(model(dunes), winds)
    if isinstance(model, ShardedModel):
        accelerator.backward(loss)
    else:
        loss.backward()
    return loss.detach()


def main():
    accelerator = Accelerator()
    model = nn.Linear(24, 6)
    data = TensorDataset(torch.load("dunes.pt"), torch.load("winds.pt"))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(data, batch_size=32, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for dunes, winds in loader:
        turn(model, accelerator, dunes, winds)
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main()
