import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    torch.manual_seed(4)
    x = torch.randn(2048, 10)
    dataset = TensorDataset(x, x.prod(1, keepdim=True))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=32, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(10, 40), nn.SiLU(), nn.Linear(40, 1)))
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        total = torch.zeros(1)
        for features, target in loader:
            loss = nn.functional.mse_loss(model(features), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.detach()
        if epoch == args.epochs - 1 and rank != 0:
            break  # expect: early-exit-before-collective
        dist.all_reduce(total)
        if rank == 0:
            print(epoch, total.item() / dist.get_world_size())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
