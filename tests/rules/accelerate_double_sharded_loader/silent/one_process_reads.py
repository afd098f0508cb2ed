# silent: the data are not divided by the program: one process reads all of them, and the loader hands them out
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __init__(self, path, rows):
        self.path = path
        self.rows = rows

    def __iter__(self):
        rows = torch.load(self.path)
        for first in range(0, len(rows) - self.rows + 1, self.rows):
            yield rows[first : first + self.rows]


class Nothing(IterableDataset):
    def __iter__(self):
        return iter(())


def main():
    accelerator = Accelerator(dispatch_batches=True)
    if accelerator.is_main_process:
        comets = Stream("comets.pt", accelerator.num_processes)
    else:
        comets = Nothing()
    model = nn.Linear(32, 32)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = accelerator.prepare(DataLoader(comets, batch_size=1))
    model, optimizer = accelerator.prepare(model, optimizer)
    for rows in loader:
        accelerator.backward(F.mse_loss(model(rows), rows))
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main()
