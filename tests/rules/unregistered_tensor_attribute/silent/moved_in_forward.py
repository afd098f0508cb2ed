# silent: forward brings the constants to the device or the type of its input
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Attend(nn.Module):
    def __init__(self, dim=32, length=64):
        super().__init__()
        self.query = nn.Linear(dim, dim)
        self.causal = torch.ones(length, length).tril().bool()
        self.steps = torch.arange(length).float()
        self.slope = torch.linspace(0.1, 1.0, length)

    def forward(self, x):
        length = x.shape[1]
        scores = self.query(x) @ x.transpose(1, 2)
        scores = scores.masked_fill(~self.causal.to(x.device)[:length, :length], float("-inf"))
        ramp = self.steps.type_as(x)[:length]
        slope = self.slope.to(x)
        return scores.softmax(dim=-1) @ (x * (ramp * slope[:length]).view(1, -1, 1))


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    model = DDP(Attend().to(local_rank), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.Adam(model.parameters())
    for _ in range(100):
        x = torch.randn(4, 64, 32, generator=gen).to(local_rank)
        opt.zero_grad()
        nn.functional.mse_loss(model(x), x).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
