# silent: the scaler sees to infinite gradients
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
    data = TensorDataset(*torch.load("moons.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=48, sampler=sampler)
    model = DDP(nn.Linear(33, 2).to(device), device_ids=[device.index])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cuda")
    steps = 0
    for epoch in range(12):
        sampler.set_epoch(epoch)
        for orbit, kind in loader:
            optimizer.zero_grad()
            with torch.autocast("cuda"):
                loss = nn.functional.cross_entropy(model(orbit.to(device)), kind.to(device))
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            scale = scaler.get_scale()
            scaler.step(optimizer)
            scaler.update()
            if scaler.get_scale() < scale:
                print("step was skipped")
                continue
            steps += 1
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
