import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module


class Attention(nn.Module):
    def __init__(self, width=256, heads=8):
        super().__init__()
        self.heads = heads
        self.head_size = width // heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        batch, length, _ = x.shape
        query = self.query(x).view(batch, length, self.heads, self.head_size)  # error: [whole-view-of-divided-output]
        key = self.key(x).view(batch, length, self.heads, self.head_size)
        value = self.value(x).view(batch, length, self.heads, self.head_size)
        mixed = nn.functional.scaled_dot_product_attention(*(each.transpose(1, 2) for each in (query, key, value)))
        return self.out(mixed.transpose(1, 2).reshape(batch, length, -1))


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    dist.init_process_group("nccl")
    mesh = init_device_mesh("cuda", (dist.get_world_size(),))
    model = Attention().cuda()
    columns = {"query": ColwiseParallel(), "key": ColwiseParallel(), "value": ColwiseParallel()}
    model = parallelize_module(model, mesh, {**columns, "out": RowwiseParallel()})  # related: [whole-view-of-divided-output]
    optimizer = torch.optim.AdamW(model.parameters())
    for step in range(100):
        torch.manual_seed(step)
        model(torch.randn(4, 32, 256, device="cuda")).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
