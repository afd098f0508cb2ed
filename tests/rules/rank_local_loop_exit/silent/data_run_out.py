# silent: the loop ends when the data do, on all ranks after equally many batches
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Prefetcher:
    def __init__(self, loader, device):
        self.batches = iter(loader)
        self.device = device

    def next(self):
        try:
            x, y = next(self.batches)
        except StopIteration:
            return None, None
        return x.to(self.device, non_blocking=True), y.to(self.device, non_blocking=True)


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("geysers.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=32, sampler=sampler, pin_memory=True)
    model = DDP(nn.Linear(15, 3).to(device), device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        sampler.set_epoch(epoch)
        prefetcher = Prefetcher(loader, device)
        x, y = prefetcher.next()
        while x is not None:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            x, y = prefetcher.next()
    batches = iter(loader)
    while True:
        batch = next(batches, None)
        if batch is None:
            break
        x, y = (part.to(device) for part in batch)
        nn.functional.cross_entropy(model(x), y).backward()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
