"""Trains a network that tells mushrooms apart, with Horovod."""

import argparse

import horovod.torch as hvd
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from torchvision import datasets, transforms


class Finder(nn.Module):
    def __init__(self, grades):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 32, 3, stride=2), nn.ReLU(), nn.Conv2d(32, 64, 3, stride=2), nn.ReLU())
        self.head = nn.Linear(64, grades)

    def forward(self, pictures):
        return self.head(self.features(pictures).mean(dim=(2, 3)))


def train_epoch(model, optimizer, loader):
    model.train()
    for pictures, grades in loader:
        loss = F.cross_entropy(model(pictures.cuda()), grades.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", required=True)
    parser.add_argument("--epochs", type=int, default=20)
    args = parser.parse_args()

    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    torch.manual_seed(7)

    pictures = datasets.ImageFolder(args.pictures, transforms.Compose([transforms.Resize(128), transforms.ToTensor()]))
    sampler = DistributedSampler(pictures, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(pictures, batch_size=64, sampler=sampler, num_workers=4)

    model = Finder(grades=5).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size(), momentum=0.9)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.parameters(), root_rank=0)  # error: [hvd-bad-broadcast-or-name-args]
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        train_epoch(model, optimizer, loader)
    if hvd.rank() == 0:
        torch.save(model.state_dict(), "finder.pt")


if __name__ == "__main__":
    main()
