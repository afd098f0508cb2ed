# silent: the clock decides what is shown, nothing else
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("bogs.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=32, sampler=sampler)
    model = DDP(nn.Linear(31, 2).to(device), device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    shown = time.time()
    best = float("inf")
    for epoch in range(30):
        sampler.set_epoch(epoch)
        for x, y in loader:
            begin = time.time()
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if time.time() - begin > 5.0:
                print(f"rank {dist.get_rank()} is slow")
            if time.time() - shown > 60:
                shown = time.time()
                print(f"epoch {epoch} loss {loss.item():.4f}")
            if loss.item() < best:
                best = loss.item()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
