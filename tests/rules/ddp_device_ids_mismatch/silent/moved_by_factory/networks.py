# silent: the function that builds the network also moves it
from torch import nn


class Gauge(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, 60), nn.ReLU(), nn.Linear(60, 1))

    def forward(self, x):
        return self.layers(x)


def create(inputs, gpu):
    net = Gauge(inputs)
    nn.init.zeros_(net.layers[2].bias)
    return net.to(gpu)
