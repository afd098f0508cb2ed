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
        self.label = nn.Linear(8, 4)
        self.depth = nn.Linear(8, 1)

    def forward(self, x):
        hidden = self.body(x)
        return self.label(hidden), self.depth(hidden)


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    torch.manual_seed(dist.get_rank())
    model = DDP(Net().cuda())  # expect: ddp-parameters-without-gradient
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x, y = torch.randn(16, 8, device="cuda"), torch.randint(0, 4, (16,), device="cuda")
        label, _ = model(x)
        loss = cross_entropy(label, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
