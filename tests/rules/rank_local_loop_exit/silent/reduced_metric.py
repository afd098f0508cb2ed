# silent: the metric is averaged over the ranks before it is compared
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class EarlyStopping:
    def __init__(self, patience):
        self.patience = patience
        self.best = float("inf")
        self.bad = 0

    def update(self, value):
        if value < self.best:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad > self.patience


def evaluate(model, loader, device):
    sums = torch.zeros(2, device=device)
    model.eval()
    with torch.no_grad():
        for x, y in loader:
            sums[0] += nn.functional.mse_loss(model.module(x.to(device)), y.to(device), reduction="sum")
            sums[1] += y.numel()
    dist.all_reduce(sums)
    model.train()
    return (sums[0] / sums[1]).item()


def main():
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    train = TensorDataset(*torch.load("fjords.pt", map_location="cpu"))
    val = TensorDataset(*torch.load("fjords_val.pt", map_location="cpu"))
    sampler = DistributedSampler(train)
    loader = DataLoader(train, batch_size=32, sampler=sampler)
    val_loader = DataLoader(val, batch_size=32, sampler=DistributedSampler(val, shuffle=False))
    model = DDP(nn.Linear(12, 4).to(device), device_ids=[device.index])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    stopping = EarlyStopping(patience=3)
    for epoch in range(100):
        sampler.set_epoch(epoch)
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if stopping.update(evaluate(model, val_loader, device)):
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
