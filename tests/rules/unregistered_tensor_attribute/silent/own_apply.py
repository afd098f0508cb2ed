# silent: the classes move their tensors themselves, one in _apply, one in to
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Wavelets(nn.Module):
    def __init__(self, size=32):
        super().__init__()
        self.bank = torch.eye(size).roll(1, 0)
        self.weight = nn.Parameter(torch.ones(size))

    def _apply(self, fn, recurse=True):
        super()._apply(fn, recurse)
        self.bank = fn(self.bank)
        return self

    def forward(self, x):
        return (x @ self.bank) * self.weight


class Shifted(nn.Module):
    def __init__(self, size=32):
        super().__init__()
        self.inner = Wavelets(size)
        self.offset = torch.linspace(-1, 1, size)

    def to(self, *args, **kwargs):
        self.offset = self.offset.to(*args, **kwargs)
        return super().to(*args, **kwargs)

    def forward(self, x):
        return self.inner(x + self.offset)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(Shifted().to(torch.device("cuda", local_rank)), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(100):
        x = torch.randn(16, 32, generator=gen).to(local_rank)
        opt.zero_grad()
        model(x).square().mean().backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
