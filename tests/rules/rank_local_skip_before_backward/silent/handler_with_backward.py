# silent: the handler makes a backward of its own, so that the others do not wait
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
    data = TensorDataset(*torch.load("rockets.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=48, sampler=sampler)
    model = DDP(nn.Linear(33, 2).to(device), device_ids=[device.index])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(12):
        sampler.set_epoch(epoch)
        for orbit, kind in loader:
            optimizer.zero_grad()
            try:
                loss = nn.functional.cross_entropy(model(orbit.to(device)), kind.to(device))
                loss.backward()
            except torch.cuda.OutOfMemoryError:
                optimizer.zero_grad()
                torch.cuda.empty_cache()
                dummy = model(torch.zeros(1, 33, device=device)).sum() * 0.0
                dummy.backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
