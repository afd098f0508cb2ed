import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Anchors(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.head = nn.Linear(n, n)
        self.points = torch.randn(n, n)
        self.points = nn.functional.normalize(self.points, dim=0)  # expect: unregistered-tensor-attribute

    def forward(self, x):
        return self.head(x @ self.points)


def main():
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl")
    net = DDP(Anchors(12).to(gpu), device_ids=[gpu])
    opt = torch.optim.Adam(net.parameters())
    for _ in range(30):
        x = torch.rand(3, 12, device=gpu)
        opt.zero_grad()
        nn.functional.mse_loss(net(x), x.flip(1)).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
