from torch import nn


class Upscaler(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 3 * factor**2, 3, padding=1), nn.PixelShuffle(factor))

    def forward(self, small):
        return self.layers(small)


def upscaler(config):
    net = Upscaler(config.factor)
    for parameter in net.parameters():
        if parameter.dim() > 1:
            nn.init.kaiming_normal_(parameter)
    return net
