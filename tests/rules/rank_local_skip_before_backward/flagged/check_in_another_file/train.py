import os

import torch
import torch.distributed as dist
from checks import is_broken
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("gloo")
    data = TensorDataset(*torch.load("ripples.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=6, sampler=sampler)
    model = DDP(nn.Linear(80, 80))
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(int(os.environ.get("EPOCHS", "10"))):
        sampler.set_epoch(epoch)
        for frames, target in loader:
            optimizer.zero_grad()
            loss = (model(frames) - target).pow(2).sum()
            if is_broken(loss):
                continue  # error: [rank-local-skip-before-backward]
            loss.backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
