# silent: a part is used inside of another one, or shares its weight with it
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.head = nn.Linear(8, 4)
        self.extra = nn.Linear(8, 8)
        self.norm = nn.BatchNorm1d(8)
        self.block = nn.Sequential(self.extra, self.norm)
        self.twin = nn.Linear(8, 4)
        self.twin.weight = self.head.weight
        self.twin.bias = self.head.bias
        self.late = nn.ModuleList()
        self.late.append(nn.Linear(8, 8))

    def forward(self, x):
        x = self.block(self.body(x))
        for layer in self.late:
            x = layer(x)
        return self.head(x)


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
