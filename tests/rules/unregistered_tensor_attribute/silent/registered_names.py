# silent: buffers that are declared first and filled later, parameters of every kind, a tuple unpacked into buffers
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.nn.parameter import Parameter


class Quantizer(nn.Module):
    def __init__(self, codes=128, dim=8):
        super().__init__()
        self.register_buffer("usage", None)
        self.usage = torch.zeros(codes)
        self.codes = Parameter(torch.randn(codes, dim).to(torch.float32))
        self.anchor = nn.Parameter(torch.zeros(dim), requires_grad=False)
        low, high = -torch.ones(dim), torch.ones(dim)
        for name, value in (("low", low), ("high", high)):
            self.register_buffer(name, value, persistent=False)
        self.inside = nn.Linear(dim, dim)

    def forward(self, x):
        x = torch.maximum(torch.minimum(self.inside(x), self.high), self.low) + self.anchor
        nearest = torch.cdist(x, self.codes).argmin(dim=1)
        self.usage = self.usage * 0.99 + 0.01 * torch.bincount(nearest, minlength=len(self.usage))
        return x, self.codes[nearest]


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(Quantizer().to(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    for _ in range(100):
        x = torch.randn(256, 8, generator=gen).to(local_rank)
        inside, code = model(x)
        opt.zero_grad()
        nn.functional.mse_loss(inside, code).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
