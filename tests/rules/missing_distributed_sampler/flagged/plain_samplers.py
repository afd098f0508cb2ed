import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, RandomSampler, SequentialSampler, TensorDataset


class Labels:
    def __init__(self, n, mixed):
        generator = torch.Generator().manual_seed(n)
        self.data = TensorDataset(torch.rand(n, 4, generator=generator))
        self.mixed = mixed
        self.sampler = RandomSampler(self.data)  # of all labels
        self.first = DataLoader(self.data, batch_size=8, sampler=self.sampler)  # error: [missing-distributed-sampler]
        self.second = DataLoader(self.data, sampler=SequentialSampler(self.data), batch_size=8)  # error: [missing-distributed-sampler]
        self.third = DataLoader(self.data, 8, shuffle=not mixed, num_workers=2)  # error: [missing-distributed-sampler]

    def passes(self, net, optimizer, epochs):
        for number, _ in enumerate(range(epochs)):
            for loader in (self.first, self.second, self.third):
                for (label,) in loader:
                    optimizer.zero_grad()
                    nn.functional.mse_loss(net(label), label).backward()
                    optimizer.step()


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(2)
    net = DDP(nn.Linear(4, 4))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    Labels(int(os.environ.get("LABELS", "800")), bool(os.environ.get("MIXED"))).passes(net, optimizer, 3)


if __name__ == "__main__":
    main()
    dist.destroy_process_group()
