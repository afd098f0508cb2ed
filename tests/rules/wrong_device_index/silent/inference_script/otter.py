from torch import nn


class Otter(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 18), nn.ReLU(), nn.Linear(18, 1))

    def forward(self, river):
        return self.layers(river)
