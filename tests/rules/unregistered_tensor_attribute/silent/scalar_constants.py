# silent: tensors without dimensions combine with tensors of any device
import math
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Gaussian(nn.Module):
    def __init__(self, inputs=15):
        super().__init__()
        self.mean = nn.Linear(inputs, 1)
        self.log_scale = nn.Parameter(torch.zeros(1))
        self.half_log_two_pi = torch.tensor(0.5 * math.log(2 * math.pi))
        self.floor = torch.tensor(1e-3)
        self.shape = torch.Size([inputs])
        self.ladder = torch.arange(3).tolist()
        self.width = torch.ones(inputs).sum().item()

    def forward(self, x, y):
        scale = self.log_scale.exp() + self.floor
        z = (y - self.mean(x).squeeze(1) / self.width) / scale
        return (0.5 * z * z + scale.log() + self.half_log_two_pi + self.ladder[0]).mean()


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(Gaussian().to(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(100):
        x = torch.randn(32, 15, generator=gen).to(local_rank)
        opt.zero_grad()
        model(x, x.sum(dim=1)).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
