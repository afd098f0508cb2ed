import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, epochs, target):
        self.rank = dist.get_rank()
        self.epochs = epochs
        self.target = target
        self.should_stop = False
        self.model = DDP(nn.Sequential(nn.Linear(10, 30), nn.ReLU(), nn.Linear(30, 2)))
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def train_epoch(self):
        for _ in range(25):
            x = torch.randn(32, 10)
            loss = nn.functional.cross_entropy(self.model(x), (x[:, 0] > x[:, 1]).long())
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    def validate(self):
        if self.rank != 0:
            return
        with torch.no_grad():
            x = torch.randn(512, 10, generator=torch.Generator().manual_seed(2))
            right = (self.model.module(x).argmax(1) == (x[:, 0] > x[:, 1]).long()).float().mean().item()
        self.should_stop = right >= self.target

    def fit(self):
        for _ in range(self.epochs):
            self.train_epoch()
            self.validate()
            if self.should_stop:  # expect: rank-guarded-value-steers-collective
                break


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(dist.get_rank())
    Trainer(epochs=60, target=0.97).fit()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
