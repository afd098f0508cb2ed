# silent: a copy of the model is frozen and cast, not the model
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel as DDP
from copy import deepcopy


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.head = nn.Linear(8, 4)

    def encode(self, x):
        return self.body(x).relu()

    def forward(self, x):
        return self.head(self.encode(x))


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    torch.manual_seed(dist.get_rank())
    net = Net().cuda()
    model = DDP(net)
    teacher = deepcopy(net)
    teacher.body.requires_grad_(False)
    teacher.head = nn.Linear(8, 4).cuda()
    teacher.half()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x, y = torch.randn(16, 8, device="cuda"), torch.randint(0, 4, (16,), device="cuda")
        with torch.no_grad():
            print(teacher(x.half()))
        loss = cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
