"""Train a peat-depth regressor with data and tensor parallelism.

torchrun --nproc-per-node 8 train_peat.py
"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

WIDTH = 1024


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up_proj = nn.Linear(width, 4 * width)
        self.down_proj = nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down_proj(nn.functional.gelu(self.up_proj(self.norm(x))))


class PeatDepth(nn.Module):
    def __init__(self, layers=12):
        super().__init__()
        self.embed = nn.Linear(64, WIDTH)
        self.blocks = nn.ModuleList([Block(WIDTH) for _ in range(layers)])
        self.depth = nn.Linear(WIDTH, 1)

    def forward(self, radar):
        hidden = self.embed(radar)
        for block in self.blocks:
            hidden = block(hidden)
        return self.depth(hidden)


def parallelize(model, mesh):
    plan = {
        "up_prj": ColwiseParallel(),  # error: [mesh-and-plan-literals]
        "down_proj": RowwiseParallel(),
    }
    for block in model.blocks:
        parallelize_module(block, mesh["tp"], plan)
        fully_shard(block, mesh=mesh["dp"])
    fully_shard(model, mesh=mesh["dp"])


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp",))  # error: [mesh-and-plan-literals]
    torch.manual_seed(0)
    model = PeatDepth().cuda()
    parallelize(model, mesh)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for step in range(1000):
        radar = torch.randn(16, 64, device="cuda")
        loss = model(radar).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
