# silent: a step that failed is tried again with less, until it succeeds
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
    data = TensorDataset(*torch.load("probes.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=48, sampler=sampler)
    model = DDP(nn.Linear(33, 2).to(device), device_ids=[device.index])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(12):
        sampler.set_epoch(epoch)
        for orbit, kind in loader:
            pieces = 1
            while True:
                try:
                    optimizer.zero_grad()
                    size = -(-len(orbit) // pieces)
                    loss = nn.functional.cross_entropy(model(orbit[:size].to(device)), kind[:size].to(device))
                    loss.backward()
                    break
                except torch.cuda.OutOfMemoryError:
                    torch.cuda.empty_cache()
                    pieces *= 2
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
