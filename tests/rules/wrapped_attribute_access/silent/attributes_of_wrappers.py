# silent: every module, or the wrapper itself, has these
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
        self.device = torch.device("cuda")
        self.dim = 8
        self.head = nn.Linear(8, 4)

    def train(self, mode=True):
        return super().train(mode)

    def extra_repr(self):
        return "net"

    def encode(self, x):
        return self.body(x).relu()

    def forward(self, x):
        return self.head(self.encode(x))


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    torch.manual_seed(dist.get_rank())
    model = DDP(Net().cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x, y = torch.randn(16, 8, device="cuda"), torch.randint(0, 4, (16,), device="cuda")
        model.train()
        model.step = 0
        print(model.device, model.dim, model.training, model.extra_repr(), model.step, model.module.head)
        loss = cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
