# silent: look-alike, each process spreads its model over two GPUs, so literals are part of the plan
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Spread(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(11, 44).to("cuda:0")
        self.second = nn.Linear(44, 2).to("cuda:1")

    def forward(self, moor):
        return self.second(self.first(moor.to("cuda:0")).relu().to("cuda:1"))


def main():
    print("process", os.environ.get("LOCAL_RANK", "0"), "of its machine")
    dist.init_process_group("gloo")
    model = DistributedDataParallel(Spread())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(80):
        moor = torch.randn(22, 11)
        loss = model(moor).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "moor.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
