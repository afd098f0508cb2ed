import random
import sys
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, IterableDataset


class Rows(IterableDataset):
    def __init__(self, folder, seed):
        super().__init__()
        self.files = sorted(Path(folder).glob("*.csv"))
        self.seed = seed

    def __iter__(self):
        rng = random.Random(self.seed)
        files = list(self.files)
        rng.shuffle(files)
        for file in files:
            for line in file.open():
                *values, target = map(float, line.split(","))
                yield torch.tensor(values), torch.tensor(target)


class Buffered(IterableDataset):
    """Gives the elements of another stream in an order that is random within a window."""

    def __init__(self, source, size):
        super().__init__()
        self.source = source
        self.size = size

    def __iter__(self):
        held = []
        for item in self.source:
            held.append(item)
            if len(held) == self.size:
                yield held.pop(random.randrange(self.size))
        random.shuffle(held)
        yield from held


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
    stream = Buffered(Rows(path, seed=5), size=1000)
    loader = DataLoader(stream, batch_size=64)  # expect: iterable-dataset-not-sharded
    train(loader)
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
