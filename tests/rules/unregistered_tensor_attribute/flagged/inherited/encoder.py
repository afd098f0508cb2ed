import torch
from torch import nn

from blocks import Block


class Positional(Block):
    def __init__(self, dim, length=256):
        super().__init__(dim)
        steps = torch.arange(length).unsqueeze(1)
        rates = torch.exp(torch.arange(0, dim, 2) * (-9.2 / dim))
        table = torch.zeros(length, dim)
        table[:, 0::2] = torch.sin(steps * rates)
        table[:, 1::2] = torch.cos(steps * rates)
        self.table = table  # error: [unregistered-tensor-attribute]

    def forward(self, x):
        return self.norm(x + self.table[: x.shape[1]])


class Projected(Block):
    def __init__(self, dim):
        super().__init__(dim)
        self.basis = torch.nn.init.orthogonal_(torch.empty(dim, dim)).cuda()  # error: [unregistered-tensor-attribute]

    def forward(self, x):
        return self.norm(torch.matmul(x, self.basis))


class Encoder(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.blocks = nn.Sequential(Positional(dim), Projected(dim), nn.Linear(dim, dim))

    def forward(self, x):
        return self.blocks(x)
