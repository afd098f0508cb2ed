import torch
from torch import nn

from shared import network


def main():
    net = network(["owl", "lark"])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(70):
        x = torch.rand(7, 7)
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(x), x[:, :2].argmax(1)).backward()
        optimizer.step()


if __name__ == "__main__":
    main()
