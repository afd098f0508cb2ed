"""A trainer keeps an index-less device on itself."""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, width):
        self.device = torch.device("cuda")
        self.model = nn.Linear(width, width).to(self.device)  # error: [set-device-missing-before-nccl]
        self.model = DistributedDataParallel(self.model)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)

    def fit(self, steps):
        for _ in range(steps):
            mint = torch.randn(16, 20, device=self.device)
            loss = (self.model(mint) - mint.cos()).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()


def main():
    dist.init_process_group("nccl")
    loss = Trainer(width=20).fit(steps=300)
    if dist.get_rank() == 0:
        print(loss)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
