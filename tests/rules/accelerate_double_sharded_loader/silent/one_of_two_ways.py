"""The program divides the data where there is no trainer, and prepares the loader where there is one."""

import argparse

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, DistributedSampler, RandomSampler, TensorDataset


def loader_of(data, distributed, accelerator=None):
    if distributed and accelerator is None:
        sampler = DistributedSampler(data)
    else:
        sampler = RandomSampler(data)
    return DataLoader(data, batch_size=4, sampler=sampler)


class Course:
    def __init__(self, model, data, distributed, accelerator=None):
        self.accelerator = accelerator
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.loader = loader_of(data, distributed, self.accelerator)
        if self.accelerator is not None:
            self.model, self.optimizer, self.loader = self.accelerator.prepare(self.model, self.optimizer, self.loader)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--shared", action="store_true")
    parser.add_argument("--accelerate", action="store_true")
    args = parser.parse_args()
    accelerator = Accelerator() if args.accelerate else None
    course = Course(torch.nn.Linear(2, 2), TensorDataset(torch.ones(8, 2)), args.shared, accelerator)
    for (x,) in course.loader:
        loss = course.model(x).sum()
        loss.backward() if accelerator is None else accelerator.backward(loss)
        course.optimizer.step()


if __name__ == "__main__":
    main()
