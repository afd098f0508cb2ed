import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Block(nn.Sequential):
    def __init__(self, inputs, outputs):
        super().__init__(nn.Linear(inputs, outputs), nn.LayerNorm(outputs), nn.ReLU())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(4, 8)
        self.second = Block(8, 8)
        self.third = Block(8, 8)
        self.fourth = Block(8, 8)
        self.last = nn.Linear(8, 1)

    def forward(self, x):
        return self.last(self.third(self.second(self.first(x))))


def main():
    dist.init_process_group("gloo")
    model = DDP(Net())  # expect: ddp-parameters-without-gradient
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    draws = torch.Generator().manual_seed(dist.get_rank())
    for _ in range(100):
        loss = model(torch.randn(16, 4, generator=draws)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
