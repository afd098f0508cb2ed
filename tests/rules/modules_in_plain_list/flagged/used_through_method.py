import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner = nn.Linear(width, width)

    def forward(self, x):
        return x + self.inner(self.norm(x)).relu()


class Net(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.layers = [Block(width) for _ in range(depth)]  # expect: modules-in-plain-list

    def forward(self, x):
        x = self.first(x)
        return self.encode(x)

    def encode(self, x):
        for number, layer in enumerate(self.layers):
            x = layer(x) if number else layer(x) + x
        return x


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    torch.manual_seed(0)
    model = DDP(Net(16, 4).to(device), device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(100):
        loss = model(torch.rand(8, 16, device=device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
