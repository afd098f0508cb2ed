import os
import random

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("pebbles.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=20, sampler=sampler)
    model = DDP(nn.Linear(7, 7).to(device), device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.2)
    keep = 0.9
    for epoch in range(4):
        sampler.set_epoch(epoch)
        for x, y in loader:
            if random.random() > keep:
                continue  # expect: rank-local-skip-before-backward
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x.to(device)), y.to(device)).backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
