# silent: accelerate dispatches the batches
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset
from accelerate import Accelerator


class Rows(IterableDataset):
    def __init__(self, path):
        super().__init__()
        self.path = path

    def __iter__(self):
        with open(self.path) as stream:
            for line in stream:
                *values, target = map(float, line.split(","))
                yield torch.tensor(values), torch.tensor(target)


def main(path):
    accelerator = Accelerator()
    model = nn.Linear(8, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    model, optimizer, loader = accelerator.prepare(model, optimizer, DataLoader(Rows(path), batch_size=64))
    for inputs, target in loader:
        optimizer.zero_grad()
        accelerator.backward(nn.functional.mse_loss(model(inputs).squeeze(1), target))
        optimizer.step()


if __name__ == "__main__":
    main(sys.argv[1])
