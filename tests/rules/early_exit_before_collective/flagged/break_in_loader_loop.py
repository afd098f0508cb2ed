import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


@torch.no_grad()
def sample_predictions(args, model, loader):
    """A few predictions of every rank, for the picture of the epoch."""
    pictures = []
    for step, (x, _) in enumerate(loader):
        if args.rank != 0 and step >= args.pictures:
            break  # expect: early-exit-before-collective
        part = model.module(x)
        parts = [torch.zeros_like(part) for _ in range(args.world_size)]
        dist.all_gather(parts, part)
        pictures.append(torch.cat(parts))
    return pictures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", type=int, default=2)
    args = parser.parse_args()
    dist.init_process_group("gloo")
    args.rank, args.world_size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(12)
    x = torch.randn(1024, 3)
    dataset = TensorDataset(x, x.sin())
    sampler = DistributedSampler(dataset, drop_last=True)
    loader = DataLoader(dataset, batch_size=16, sampler=sampler, drop_last=True)
    model = DDP(nn.Sequential(nn.Linear(3, 64), nn.Tanh(), nn.Linear(64, 3)))
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(10):
        sampler.set_epoch(epoch)
        for features, target in loader:
            loss = nn.functional.mse_loss(model(features), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        pictures = sample_predictions(args, model, loader)
        if args.rank == 0:
            torch.save(pictures, f"pictures{epoch}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
