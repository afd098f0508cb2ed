# silent: torchrun --standalone; the project knows no other rank than LOCAL_RANK
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
    generator = torch.Generator().manual_seed(14)
    sand = torch.rand(4000, 3, generator=generator)
    data = TensorDataset(sand, sand.amin(1, keepdim=True))
    sampler = DistributedSampler(data, num_replicas=torch.cuda.device_count(), rank=local_rank)
    loader = DataLoader(data, batch_size=40, sampler=sampler)
    torch.manual_seed(2)
    net = DDP(nn.Sequential(nn.Linear(3, 9), nn.ReLU(), nn.Linear(9, 1)).to(device), device_ids=[local_rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(5):
        sampler.set_epoch(epoch)
        for grain, smallest in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(grain.to(device)), smallest.to(device)).backward()
            optimizer.step()
    if local_rank == 0:
        torch.save(net.module.state_dict(), "sand.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
