import torch
import torch.distributed as dist
from state import resume
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self):
        self.rank = dist.get_rank()
        self.model = DistributedDataParallel(torch.nn.Linear(4, 4))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def load(self, path):
        if self.rank == 0:
            resume(self.model.module, path)

    def step(self):
        self.optimizer.zero_grad()
        self.model(torch.rand(2, 4)).sum().backward()
        self.optimizer.step()


def main():
    dist.init_process_group("gloo")
    trainer = Trainer()
    trainer.load("last.pt")
    trainer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
