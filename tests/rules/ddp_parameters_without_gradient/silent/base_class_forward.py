# silent: the forward of a base class in the project uses the part
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel as DDP


class Classifier(nn.Module):
    def forward(self, x):
        return self.head(self.features(x))

    def features(self, x):
        raise NotImplementedError


class Net(Classifier):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(8, 8)
        self.head = nn.Linear(8, 4)

    def features(self, x):
        return self.stem(x).relu()


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
