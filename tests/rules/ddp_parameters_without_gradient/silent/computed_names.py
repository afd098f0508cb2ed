# silent: forward reads its layers by computed names, over all modules, or hands itself over
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel as DDP


class Stages(nn.Module):
    def __init__(self):
        super().__init__()
        self.stage0 = nn.Linear(8, 8)
        self.stage1 = nn.Linear(8, 8)

    def forward(self, x):
        for i in range(2):
            x = getattr(self, f"stage{i}")(x)
        return x


class Chain(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 8)
        self.second = nn.Linear(8, 4)

    def forward(self, x):
        for layer in self.children():
            x = layer(x)
        return x


def through(net, x):
    return net.second(net.first(x))


class Handed(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4)

    def forward(self, x):
        return through(self, x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.Sequential(Stages(), Chain(), Handed())

    def forward(self, x):
        return self.parts(x)


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    torch.manual_seed(dist.get_rank())
    model = DDP(Net().cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x, y = torch.randn(16, 8, device="cuda"), torch.randint(0, 4, (16,), device="cuda")
        loss = cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
