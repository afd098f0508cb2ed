"""The network: mixes the gauges of each day, then the days."""

import torch
from torch import nn


class DayMixer(nn.Module):
    """Weighs the days of the window; recent days start with more weight."""

    def __init__(self, days_back, width):
        super().__init__()
        self.recency = torch.linspace(0.0, 1.0, days_back)
        self.score = nn.Linear(width, 1)

    def forward(self, hidden):
        weight = (self.score(hidden).squeeze(-1) + self.recency).softmax(dim=1)
        return (hidden * weight.unsqueeze(-1)).sum(dim=1)


class RiverNet(nn.Module):
    """Levels of the last days (batch, days, gauges) to the levels of tomorrow (batch, gauges)."""

    def __init__(self, days_back, gauges, width):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(gauges, width), nn.GELU())
        self.mix = DayMixer(days_back, width)
        self.head = nn.Linear(width, gauges)

    def forward(self, levels):
        return self.head(self.mix(self.embed(levels)))
