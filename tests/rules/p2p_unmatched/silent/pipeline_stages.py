# silent: a pipeline; the first stage does not receive, the last does not send
import torch
import torch.distributed as dist
from torch import nn


class Stage:
    def __init__(self, rank, size, width):
        self.rank, self.size, self.width = rank, size, width
        torch.manual_seed(rank)
        self.layer = nn.Sequential(nn.Linear(width, width), nn.ReLU())
        self.optimizer = torch.optim.SGD(self.layer.parameters(), lr=0.01)

    @property
    def is_first(self):
        return self.rank == 0

    @property
    def is_last(self):
        return self.rank == self.size - 1

    def forward(self, batch):
        if self.is_first:
            x = batch
        else:
            x = torch.empty_like(batch)
            dist.recv(x, src=self.rank - 1)
        x.requires_grad_(not self.is_first)
        y = self.layer(x)
        if not self.is_last:
            dist.send(y.detach(), dst=self.rank + 1)
        return x, y

    def backward(self, x, y, target):
        self.optimizer.zero_grad()
        if self.is_last:
            (y - target).pow(2).mean().backward()
        else:
            gradient = torch.empty_like(y)
            dist.recv(gradient, src=self.rank + 1)
            y.backward(gradient)
        if not self.is_first:
            dist.send(x.grad, dst=self.rank - 1)
        self.optimizer.step()


def main():
    dist.init_process_group("gloo")
    stage = Stage(dist.get_rank(), dist.get_world_size(), 48)
    generator = torch.Generator().manual_seed(4)
    for _ in range(30):
        batch = torch.randn(8, 48, generator=generator)
        x, y = stage.forward(batch)
        stage.backward(x, y, batch.relu())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
