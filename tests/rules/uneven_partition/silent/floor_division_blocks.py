# silent: each rank takes len // world_size samples, the rest is left out
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Blocks:
    def __init__(self, samples, rank, world_size):
        self.per = len(samples) // world_size
        self.samples = samples[rank * self.per : (rank + 1) * self.per]

    def __iter__(self):
        return iter(self.samples)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    generator = torch.Generator().manual_seed(5)
    clouds = torch.rand(331, 20, 3, generator=generator)
    blocks = Blocks(clouds, dist.get_rank(), dist.get_world_size())
    torch.manual_seed(0)
    net = DDP(nn.Linear(3, 1).to(device), device_ids=[local_rank])
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(5):
        for cloud in blocks:
            cloud = cloud.to(device)
            optimizer.zero_grad()
            nn.functional.mse_loss(net(cloud), cloud.norm(dim=1, keepdim=True)).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
