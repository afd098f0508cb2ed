"""Recognises bird calls from mel spectrograms."""

import torch
from torch import nn


class FrequencyMask(nn.Module):
    """Fades mel bands in and out with a fixed random pattern per call length."""

    def __init__(self, bands, patterns=16):
        super().__init__()
        self.patterns = torch.rand(patterns, bands)  # error: [unregistered-tensor-attribute]

    def forward(self, mel):
        chosen = self.patterns[mel.shape[-1] % len(self.patterns)]
        return mel * chosen.view(1, -1, 1)


class CallClassifier(nn.Module):
    """A mask, one convolution over time and a linear head."""

    def __init__(self, bands=64, species=40):
        super().__init__()
        self.mask = FrequencyMask(bands)
        self.conv = nn.Conv1d(bands, 96, kernel_size=5, padding=2)
        self.head = nn.Linear(96, species)

    def forward(self, mel):
        hidden = torch.relu(self.conv(self.mask(mel)))
        return self.head(hidden.mean(dim=-1))
