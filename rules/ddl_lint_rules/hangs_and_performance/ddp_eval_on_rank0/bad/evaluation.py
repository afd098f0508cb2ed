"""Scores of a model on data that it has not seen."""

import torch
from torch import nn


@torch.no_grad()
def accuracy(model: nn.Module, batches, device) -> float:
    """The share of photographs whose health the model tells right."""
    model.eval()
    right = seen = 0
    for photos, health in batches:
        guesses = model(photos.to(device)).argmax(1).cpu()
        right += int((guesses == health).sum())
        seen += len(health)
    model.train()
    return right / seen
