import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("comets.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=48, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(33, 64), nn.ReLU(), nn.Linear(64, 2)).to(device), device_ids=[device])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    skipped = 0
    for epoch in range(12):
        sampler.set_epoch(epoch)
        for orbit, kind in loader:
            loss = nn.functional.cross_entropy(model(orbit.to(device)), kind.to(device))
            if not torch.isfinite(loss):
                skipped += 1
                optimizer.zero_grad()
                continue  # expect: rank-local-skip-before-backward
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print("skipped", skipped)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
