from torch import nn


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Conv2d(3, 8, 3, padding=1)

    def forward(self, photo):
        return self.features(photo).relu().sum(dim=(1, 2, 3))
