"""The grain classifier, shared by training and inspection."""

import torch
from torch import nn


class GrainNet(nn.Module):
    """Sorts photographs of single grains into varieties."""

    def __init__(self, varieties=9):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4))
        self.head = nn.Linear(256, varieties)

    def forward(self, photo):
        return self.head(torch.flatten(self.features(photo), 1))
