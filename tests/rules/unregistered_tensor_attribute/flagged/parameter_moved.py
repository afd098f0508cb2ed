import os

import torch
import torch.distributed as dist
from torch.nn import Linear, Module, Parameter
from torch.nn.functional import mse_loss
from torch.nn.parallel import DistributedDataParallel


class Scaled(Module):
    def __init__(self, dim, device):
        super().__init__()
        self.linear = Linear(dim, dim)
        self.gain = Parameter(torch.ones(dim)).to(device)  # expect: unregistered-tensor-attribute
        self.bias = Parameter(torch.zeros(dim)).cuda()  # expect: unregistered-tensor-attribute
        self.shift = Parameter(torch.zeros(dim))

    def forward(self, x):
        return self.linear(x) * self.gain + self.bias + self.shift


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    model = DistributedDataParallel(Scaled(40, device).to(device), device_ids=[local_rank])
    gen = torch.Generator().manual_seed(dist.get_rank())
    opt = torch.optim.Adam(model.parameters())
    for _ in range(400):
        x = torch.randn(20, 40, generator=gen).to(device)
        opt.zero_grad()
        mse_loss(model(x), 3 * x + 1).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
