"""Trains on files that are divided by hand."""

import glob

import horovod.torch as hvd
import torch
import torch.nn.functional as F
from torch import nn


def main():
    hvd.init()
    torch.cuda.set_device(hvd.local_rank())
    files = sorted(glob.glob("parts/*.pt"))[hvd.rank() :: hvd.size()]  # expect: uneven-partition
    model = nn.Linear(8, 1).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    for epoch in range(10):
        for file in files:
            x, y = torch.load(file, map_location="cpu")
            optimizer.zero_grad()
            loss = F.mse_loss(model(x.cuda()), y.cuda())
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    main()
