# silent: the attribute is None until forward has seen the first input and knows its device
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Rotary(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.dim = dim
        self.project = nn.Linear(dim, dim)
        self.cos = None
        self.sin = None

    def forward(self, x):
        if self.cos is None or self.cos.shape[0] < x.shape[1] or self.cos.device != x.device:
            angle = (
                torch.arange(x.shape[1], device=x.device)
                .float()
                .outer(1e4 ** -torch.linspace(0, 1, self.dim // 2, device=x.device))
            )
            self.cos, self.sin = angle.cos(), angle.sin()
        even, odd = self.project(x).chunk(2, dim=-1)
        cos, sin = self.cos[: x.shape[1]], self.sin[: x.shape[1]]
        return torch.cat([even * cos - odd * sin, even * sin + odd * cos], dim=-1)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(Rotary().cuda(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.Adam(model.parameters())
    for _ in range(100):
        x = torch.randn(8, 12, 16, generator=gen).cuda(local_rank)
        opt.zero_grad()
        nn.functional.mse_loss(model(x), x).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
