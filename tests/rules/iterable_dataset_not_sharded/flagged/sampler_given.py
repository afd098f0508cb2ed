import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, IterableDataset


class Rows(IterableDataset):
    def __init__(self, path):
        super().__init__()
        self.path = path

    def __iter__(self):
        with open(self.path) as stream:
            for line in stream:
                *values, target = map(float, line.split(","))
                yield torch.tensor(values), torch.tensor(target)


def train(loader, epochs=3):
    torch.manual_seed(0)
    model = DDP(nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(epochs):
        for inputs, target in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(inputs).squeeze(1), target)
            loss.backward()
            optimizer.step()


def main(path):
    dist.init_process_group("gloo")
    rows = Rows(path)
    loader = DataLoader(rows, batch_size=64, sampler=torch.utils.data.SequentialSampler(range(4096)))  # error: [iterable-dataset-not-sharded]
    train(loader)
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
