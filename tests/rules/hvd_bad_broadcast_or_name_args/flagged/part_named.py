"""Names the head alone."""

import argparse

import horovod.torch as hvd
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(16, 64)
        self.head = nn.Linear(64, 1)

    def forward(self, inputs):
        return self.head(self.body(inputs).relu())


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
    model = Net().cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.head.named_parameters())  # expect: hvd-bad-broadcast-or-name-args
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    for epoch in range(20):
        sampler.set_epoch(epoch)
        for inputs, targets in loader:
            optimizer.zero_grad()
            loss = criterion(model(inputs.cuda()), targets.cuda())
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    main()
