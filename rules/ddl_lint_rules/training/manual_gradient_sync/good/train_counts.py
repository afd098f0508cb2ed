"""Start with: torchrun --nproc-per-node 4 train_counts.py --table counts.pt"""

import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from gradients import exchange_gradients, same_start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", required=True)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=0.02)
    args = parser.parse_args()

    dist.init_process_group("gloo")
    table = torch.load(args.table, map_location="cpu").float()
    data = TensorDataset(table[:, :-1], table[:, -1:])
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=args.batch_size, sampler=sampler, drop_last=True)

    model = nn.Sequential(nn.Linear(table.size(1) - 1, 32), nn.Tanh(), nn.Linear(32, 1))
    same_start(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    likelihood = nn.PoissonNLLLoss()

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for features, counts in loader:
            optimizer.zero_grad()
            loss = likelihood(model(features), counts)
            loss.backward()
            exchange_gradients(model)
            optimizer.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f}")
            torch.save(model.state_dict(), "counts_model.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
