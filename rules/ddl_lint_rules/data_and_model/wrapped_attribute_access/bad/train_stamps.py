"""Group photographs of postage stamps that look alike: torchrun --nproc_per_node=gpu train_stamps.py"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def stamps(count=2400, size=24):
    gen = torch.Generator().manual_seed(71)
    country = torch.randint(0, 6, (count,), generator=gen)
    stripe = torch.sin(torch.arange(size) * (1 + country[:, None]) / 4)
    return TensorDataset(stripe[:, None, None].expand(-1, 1, size, -1) + 0.2 * torch.randn(count, 1, size, size, generator=gen), country)


class StampNet(nn.Module):
    def __init__(self, channels, countries):
        super().__init__()
        self.look = nn.Sequential(nn.Conv2d(1, channels, 5, stride=2), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())
        self.country = nn.Linear(4 * channels, countries)

    def embed(self, photo):
        return nn.functional.normalize(self.look(photo), dim=1)

    def forward(self, photo):
        return self.country(self.look(photo))


@torch.no_grad()
def likeness(model, loader, device):
    """The mean likeness of stamps to their neighbours in the list."""
    model.eval()
    total = torch.zeros(1, device=device)
    for photo, _ in loader:
        points = model.embed(photo.to(device))  # error: [wrapped-attribute-access]
        total += (points[1:] * points[:-1]).sum(1).mean()
    model.train()
    dist.all_reduce(total)
    return total.item() / len(loader) / dist.get_world_size()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--channels", type=int, default=12)
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl")

    data = stamps()
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=60, sampler=sampler)
    model = DDP(StampNet(args.channels, countries=6).to(device), device_ids=[device.index])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for photo, country in loader:
            loss = nn.functional.cross_entropy(model(photo.to(device)), country.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, likeness(model, loader, device))
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "stamps.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
