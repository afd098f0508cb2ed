from torch import nn


class Block(nn.Module):
    """Base class of every block of the network."""

    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
