# silent: only the logging may fail
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
    data = TensorDataset(*torch.load("orbits.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=48, sampler=sampler)
    model = DDP(nn.Linear(33, 2).to(device), device_ids=[device.index])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(12):
        sampler.set_epoch(epoch)
        for orbit, kind in loader:
            loss = nn.functional.cross_entropy(model(orbit.to(device)), kind.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            try:
                with open(f"log{dist.get_rank()}.txt", "a") as file:
                    file.write(f"{loss.item()}\n")
            except Exception:
                continue
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
