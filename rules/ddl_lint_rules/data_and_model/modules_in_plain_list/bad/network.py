"""A network for sensor readings: residual blocks, and one head for each quantity."""

import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self, width: int, dropout: float):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return x + self.dropout(self.down(nn.functional.gelu(self.up(self.norm(x)))))


class SensorNet(nn.Module):
    def __init__(self, sensors: int, width: int = 128, depth: int = 6, dropout: float = 0.1):
        super().__init__()
        self.enter = nn.Linear(sensors, width)
        self.blocks = [Residual(width, dropout) for _ in range(depth)]  # error: [modules-in-plain-list]
        self.leave = nn.Linear(width, 3)

    def forward(self, readings: torch.Tensor) -> torch.Tensor:
        x = self.enter(readings)
        for block in self.blocks:
            x = block(x)
        return self.leave(x)
