"""Learn tides with two GPUs per copy of the model: torchrun --nproc_per_node=8 train.py"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Tides(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(24, 512)
        self.down = nn.Linear(512, 1)

    def forward(self, hours):
        return self.down(self.up(hours).relu())


def main():
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    mesh = init_device_mesh("cuda", (4, 2), mesh_dim_names=("copies", "layers"))
    torch.manual_seed(3)
    model = Tides().cuda()
    plan = {"up": ColwiseParallel(), "down": RowwiseParallel()}
    parallelize_module(model, mesh["layers"], plan)  # related: [sampler-ignores-mesh]
    fully_shard(model, mesh=mesh["copies"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    data = TensorDataset(torch.randn(8192, 24), torch.randn(8192, 1))
    sampler = DistributedSampler(data)  # error: [sampler-ignores-mesh]
    for epoch in range(5):
        sampler.set_epoch(epoch)
        for hours, height in DataLoader(data, batch_size=64, sampler=sampler, drop_last=True):
            nn.functional.mse_loss(model(hours.cuda()), height.cuda()).backward()
            optimizer.step()
            optimizer.zero_grad()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
