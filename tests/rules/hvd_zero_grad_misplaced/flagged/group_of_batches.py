"""Clears before the step of a group."""

import argparse

import horovod.torch as hvd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


GROUP = 8


def train(model, optimizer, criterion, loader):
    for number, (inputs, targets) in enumerate(loader):
        loss = criterion(model(inputs.cuda()), targets.cuda()) / GROUP
        loss.backward()
        if (number + 1) % GROUP == 0:
            optimizer.zero_grad()  # expect: hvd-zero-grad-misplaced
            optimizer.step()


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
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, model.named_parameters(), backward_passes_per_step=GROUP)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    for epoch in range(20):
        sampler.set_epoch(epoch)
        train(model, optimizer, criterion, loader)


if __name__ == "__main__":
    main()
