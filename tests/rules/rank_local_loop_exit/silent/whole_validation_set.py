# silent: every rank evaluates the whole validation set, so that all come to the same value
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def evaluate(model, loader, device):
    model.eval()
    right = count = 0
    with torch.no_grad():
        for x, y in loader:
            right += (model.module(x.to(device)).argmax(1) == y.to(device)).sum().item()
            count += len(y)
    model.train()
    return right / count


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    train = TensorDataset(*torch.load("mosses.pt", map_location="cpu"))
    val = TensorDataset(*torch.load("mosses_val.pt", map_location="cpu"))
    sampler = DistributedSampler(train)
    loader = DataLoader(train, batch_size=32, sampler=sampler)
    val_loader = DataLoader(val, batch_size=256, shuffle=False)
    model = DDP(nn.Linear(20, 6).to(device), device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    best, bad = 0.0, 0
    for epoch in range(100):
        sampler.set_epoch(epoch)
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        score = evaluate(model, val_loader, device)
        if score > best:
            best, bad = score, 0
            dist.barrier()
        else:
            bad += 1
        if bad == 5:
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
