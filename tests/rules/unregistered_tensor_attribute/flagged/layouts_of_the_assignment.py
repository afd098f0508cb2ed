import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Tides(nn.Module):
    taper = None

    def __init__(self, n, device):
        super().__init__()
        self.head = nn.Linear(n, n)
        self.weight = nn.Parameter(  # expect: unregistered-tensor-attribute
            torch.ones(n) * 0.5
        ).to(
            device
        )
        self.phase: torch.Tensor = torch.arange(n) / n; self.n = n  # expect: unregistered-tensor-attribute
        self.table = (  # expect: unregistered-tensor-attribute
            torch.arange(n)  # one per hour
            * 0.5
        )
        self.taper = torch.linspace(0, 1, n)  # expect: unregistered-tensor-attribute
        self.offset = torch.rand(n); self.calm = False  # expect: unregistered-tensor-attribute

    def forward(self, x):
        x = x * self.weight + self.phase
        x = x + self.table
        x = x * self.taper
        return self.head(x) + self.offset


def main():
    gpu = int(os.environ['LOCAL_RANK'])
    torch.cuda.set_device(gpu)
    dist.init_process_group('nccl')
    device = torch.device('cuda', gpu)
    net = DDP(Tides(12, device).to(device), device_ids=[gpu])
    opt = torch.optim.Adam(net.parameters())
    for _ in range(30):
        x = torch.rand(3, 12, device=device)
        opt.zero_grad()
        nn.functional.mse_loss(net(x), x.flip(1)).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == '__main__':
    main()
