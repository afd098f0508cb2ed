# silent: the class balance sampler exists only on request, and the other call is shuffled
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler


def make_sampler(label, balanced):
    if not balanced:
        return None
    weight = 1.0 / torch.bincount(label).float()
    return WeightedRandomSampler(weight[label].tolist(), num_samples=len(label))


def train(balanced, epochs=5):
    generator = torch.Generator().manual_seed(4)
    blood = torch.randn(1500, 11, generator=generator)
    label = (blood[:, 0] > 1.5).long()
    sampler = make_sampler(label, balanced)
    if sampler is None:
        loader = DataLoader(TensorDataset(blood, label), batch_size=30, shuffle=True, sampler=sampler)
    else:
        loader = DataLoader(TensorDataset(blood, label), batch_size=30, sampler=sampler)
    net = nn.Sequential(nn.Linear(11, 22), nn.ReLU(), nn.Linear(22, 2))
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(epochs):
        for values, ill in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(values), ill)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: {loss.item():.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--balanced", action="store_true")
    train(parser.parse_args().balanced)
