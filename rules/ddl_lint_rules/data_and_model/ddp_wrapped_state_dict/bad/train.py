"""Train GrainNet on all GPUs of a node: torchrun --nproc_per_node=gpu train.py"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from grain_model import GrainNet

CHECKPOINT = "grain_best.pt"


def photographs(count=1800):
    gen = torch.Generator().manual_seed(23)
    photo = torch.rand(count, 3, 32, 32, generator=gen)
    return TensorDataset(photo, torch.randint(0, 9, (count,), generator=gen))


def train_epoch(model, loader, optimizer, device):
    model.train()
    total = torch.zeros(1, device=device)
    for photo, variety in loader:
        loss = nn.functional.cross_entropy(model(photo.to(device)), variety.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    dist.all_reduce(total)
    return total.item() / (len(loader) * dist.get_world_size())


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    model = DDP(GrainNet().to(device), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    data = photographs()
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=36, sampler=sampler, num_workers=2)
    best = float("inf")
    for epoch in range(12):
        sampler.set_epoch(epoch)
        loss = train_epoch(model, loader, optimizer, device)
        if loss < best:
            best = loss
            if dist.get_rank() == 0:
                torch.save(model.state_dict(), CHECKPOINT)  # error: [ddp-wrapped-state-dict]
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
