import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def train(model, loader, optimizer, device):
    for points, mask in loader:
        points, mask = points.to(device), mask.to(device)
        if mask.sum() == 0:
            continue  # expect: rank-local-skip-before-backward
        heights = model(points).squeeze(-1)
        loss = heights[mask].abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("lidar.pt", map_location="cpu"))
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=2, sampler=sampler)
    model = DDP(nn.Linear(3, 1).to(device), device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    for epoch in range(4):
        sampler.set_epoch(epoch)
        train(model, loader, optimizer, device)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
