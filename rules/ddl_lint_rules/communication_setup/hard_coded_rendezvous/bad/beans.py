import torch
from torch import nn
from torch.utils.data import TensorDataset


class BeanNet(nn.Module):
    """One convolution and a vote of all places of the picture."""

    def __init__(self, grades=4):
        super().__init__()
        self.look = nn.Conv2d(3, 16, kernel_size=5)
        self.vote = nn.Linear(16, grades)

    def forward(self, picture):
        return self.vote(self.look(picture).relu().mean(dim=(2, 3)))


def bean_pictures(count=2048):
    """Made-up pictures; the grade is how red a bean is."""
    generator = torch.Generator().manual_seed(2)
    pictures = torch.rand(count, 3, 24, 24, generator=generator)
    return TensorDataset(pictures, (pictures[:, 0].mean(dim=(1, 2)) * 4).long().clamp(0, 3))
