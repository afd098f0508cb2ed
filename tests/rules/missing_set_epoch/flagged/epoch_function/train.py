import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

from data import get_train_loader


def train_epoch(net, loader, optimizer):
    total = 0.0
    for profile, crest in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(profile), crest)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=32)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    net = DDP(nn.Sequential(nn.Linear(39, 39), nn.ReLU(), nn.Linear(39, 1)))
    optimizer = torch.optim.Adam(net.parameters())
    loader = get_train_loader(6400, args.batch_size, seed=4)
    for epoch in range(args.epochs):  # error: [missing-set-epoch]
        mean = train_epoch(net, loader, optimizer)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {mean:.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
