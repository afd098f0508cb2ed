# silent: the loop that skips batches averages no gradients
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("mirrors.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=48, sampler=sampler)
    model = DDP(nn.Linear(33, 2).to(device), device_ids=[device.index])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    val_data = TensorDataset(*torch.load("mirrors_val.pt", map_location="cpu"))
    val_loader = DataLoader(val_data, batch_size=48, sampler=DistributedSampler(val_data, shuffle=False))
    for epoch in range(12):
        sampler.set_epoch(epoch)
        for orbit, kind in loader:
            loss = nn.functional.cross_entropy(model(orbit.to(device)), kind.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        total = torch.zeros(1, device=device)
        with torch.no_grad():
            for orbit, kind in val_loader:
                loss = nn.functional.cross_entropy(model.module(orbit.to(device)), kind.to(device))
                if not torch.isfinite(loss):
                    continue
                try:
                    total += loss
                except RuntimeError:
                    continue
        dist.all_reduce(total)
        model.train()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
