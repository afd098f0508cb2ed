"""Clears in a method of a trainer."""

import argparse

import horovod.torch as hvd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    def __init__(self, model, optimizer, criterion):
        self.model = model
        self.opt = optimizer
        self.criterion = criterion

    def clear(self):
        self.opt.zero_grad()  # expect: hvd-zero-grad-misplaced

    def update(self, inputs, targets):
        loss = self.criterion(self.model(inputs), targets)
        loss.backward()
        self.clear()
        self.opt.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", required=True)
    parser.add_argument("--passes", type=int, default=4)
    parser.add_argument("--keep-every", type=int, default=100)
    args = parser.parse_args()
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    data = TensorDataset(*torch.load(args.table, map_location="cpu"))
    sampler = DistributedSampler(data, num_replicas=hvd.size(), rank=hvd.rank())
    loader = DataLoader(data, batch_size=32, sampler=sampler)
    model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1)).cuda()
    criterion = nn.MSELoss()
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    optimizer = hvd.DistributedOptimizer(torch.optim.Adam(model.parameters(), lr=1e-3 * hvd.size()))
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    trainer = Trainer(model, optimizer, criterion)
    for epoch in range(20):
        sampler.set_epoch(epoch)
        for inputs, targets in loader:
            trainer.update(inputs.cuda(), targets.cuda())


if __name__ == "__main__":
    main()
