import torch
from torch import nn


class Painter(nn.Module):
    """From a place in a picture to its colour."""

    def __init__(self, waves=32):
        super().__init__()
        self.waves = nn.Linear(2, waves)
        self.colour = nn.Linear(waves, 3)

    def forward(self, place):
        return self.colour(self.waves(place).sin()).sigmoid()


def places(count, generator):
    """Random places, and the colours of a made-up picture there."""
    place = torch.rand(count, 2, generator=generator)
    radius = (place - 0.5).norm(dim=1, keepdim=True)
    return place, torch.cat([radius, 1 - radius, place[:, :1]], dim=1).clamp(0, 1)
