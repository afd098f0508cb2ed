# silent: folds of a cross validation in one process; nothing is divided among ranks
import numpy as np
import torch
from torch import nn


def fit(x, y, epochs=50):
    net = nn.Linear(x.size(1), 1)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    for _ in range(epochs):
        for part, target in zip(x.chunk(7), y.chunk(7)):
            optimizer.zero_grad()
            nn.functional.mse_loss(net(part), target).backward()
            optimizer.step()
    return net


def main(folds=5):
    generator = torch.Generator().manual_seed(8)
    x = torch.rand(503, 4, generator=generator)
    y = x.sum(1, keepdim=True)
    parts = np.array_split(np.arange(len(x)), folds)
    errors = []
    for fold in range(folds):
        held_out = torch.from_numpy(parts[fold])
        rest = torch.from_numpy(np.concatenate(parts[:fold] + parts[fold + 1 :]))
        net = fit(x[rest], y[rest])
        with torch.no_grad():
            errors.append((net(x[held_out]) - y[held_out]).abs().mean().item())
    print("error per fold:", errors)


if __name__ == "__main__":
    main()
