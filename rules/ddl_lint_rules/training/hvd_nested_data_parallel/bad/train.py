"""Trains a classifier of leaves with Horovod."""

import argparse

import horovod.torch as hvd
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class LeafNet(nn.Module):
    def __init__(self, species=40):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 32, 3, stride=2), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten())
        self.head = nn.Linear(512, species)

    def forward(self, images):
        return self.head(self.features(images))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--leaves", required=True)
    parser.add_argument("--epochs", type=int, default=20)
    args = parser.parse_args()

    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    torch.manual_seed(7)

    table = torch.load(args.leaves, map_location="cpu")
    dataset = TensorDataset(table["images"], table["species"])
    sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)

    net = nn.DataParallel(LeafNet()).cuda()  # error: [hvd-nested-data-parallel]
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01 * hvd.size(), momentum=0.9)
    hvd.broadcast_parameters(net.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=net.named_parameters())

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for images, species in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(net(images.cuda()), species.cuda())
            loss.backward()
            optimizer.step()
        if hvd.rank() == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
