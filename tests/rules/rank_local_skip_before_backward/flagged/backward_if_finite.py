import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def step(model, batch, criterion, optimizer, device):
    clip, caption = batch
    loss = criterion(model(clip.to(device)), caption.to(device))
    optimizer.zero_grad()
    if not torch.isnan(loss).any():  # expect: rank-local-skip-before-backward
        loss.backward()
        optimizer.step()
    return loss.detach()


def main():
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("clips.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=4, sampler=sampler)
    model = DDP(nn.Linear(4096, 100).to(device), device_ids=[device.index])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for batch in loader:
            step(model, batch, criterion, optimizer, device)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
