# silent: shuffle=True belongs to the sampler, and to another loader that has no sampler
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    generator = torch.Generator().manual_seed(1)
    drops = torch.rand(4400, 16, generator=generator)
    data = TensorDataset(drops, drops.norm(dim=1, keepdim=True))
    loader = DataLoader(data, batch_size=44, sampler=DistributedSampler(data, shuffle=True, seed=3), shuffle=False)
    torch.manual_seed(0)
    net = DDP(nn.Linear(16, 1).to(device), device_ids=[local_rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
    for epoch in range(3):
        loader.sampler.set_epoch(epoch)
        for drop, norm in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(drop.to(device)), norm.to(device)).backward()
            optimizer.step()
    if dist.get_rank() == 0:
        some = DataLoader(data, batch_size=5, shuffle=True)
        drop, norm = next(iter(some))
        with torch.no_grad():
            print(torch.cat([net.module(drop.to(device)).cpu(), norm], dim=1))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
