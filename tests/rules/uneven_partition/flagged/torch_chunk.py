import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    world = dist.get_world_size()
    generator = torch.Generator().manual_seed(4)
    engines = torch.rand(1234, 20, generator=generator)
    shard = torch.chunk(engines, world)[dist.get_rank()].to(device)  # expect: uneven-partition
    torch.manual_seed(0)
    net = DDP(nn.Linear(20, 1).to(device), device_ids=[local_rank])
    optimizer = torch.optim.Adam(net.parameters())
    for epoch in range(5):
        for engine in shard:
            optimizer.zero_grad()
            net(engine.unsqueeze(0)).square().mean().backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
