"""A switch that the parser of this program declares may be on."""

import argparse

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 4)
        self.paths = []

    def forward(self, x):
        self.paths = [x]
        return self.head(x)


def evaluate(model, options={}):
    shown = options.get("show_paths", 0)
    x = model(torch.ones(2, 4))
    if shown:
        print(model.paths)  # error: [wrapped-attribute-access]
    return x


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--show_paths", type=int, default=0)
    parser.add_argument("--lr", type=float, default=0.1)
    args = parser.parse_args()
    model = nn.DataParallel(Net())
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    model(torch.ones(2, 4)).sum().backward()
    optimizer.step()
    options = {"split": "val"}
    options.update(vars(args))
    evaluate(model, options)
    evaluate(model, vars(args))


if __name__ == "__main__":
    main()
