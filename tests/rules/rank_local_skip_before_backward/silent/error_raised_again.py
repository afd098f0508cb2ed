# silent: the handler says what happened and raises the error again
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
    data = TensorDataset(*torch.load("craters.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=48, sampler=sampler)
    model = DDP(nn.Linear(33, 2).to(device), device_ids=[device.index])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(12):
        sampler.set_epoch(epoch)
        for orbit, kind in loader:
            try:
                loss = nn.functional.cross_entropy(model(orbit.to(device)), kind.to(device))
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            except RuntimeError as error:
                print("batch of shape", orbit.shape, "failed:", error)
                raise
            if not torch.isfinite(loss):
                raise ValueError("no number")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
