import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(64, 64) for _ in range(4)])
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.head(x)


class Trainer:
    def __init__(self, rate):
        self.model = Net().cuda()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=rate)  # expect: fsdp-optimizer-before-wrap
        self.shard()

    def shard(self):
        for layer in self.model.layers:
            fully_shard(layer)
        fully_shard(self.model)

    def fit(self, steps):
        for _ in range(steps):
            loss = self.model(torch.randn(32, 64, device="cuda")).mean()
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    Trainer(1e-3).fit(50)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
