import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def accuracy(model, loader, device):
    model.eval()
    hits = seen = 0
    with torch.no_grad():
        for pixels, label in loader:
            guess = model.module(pixels.to(device)).argmax(dim=1)
            hits += (guess == label.to(device)).sum().item()
            seen += label.numel()
    return hits / seen


def save_together(model, path):
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), path)
    dist.barrier()


def main():
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    train = TensorDataset(*torch.load("shells_train.pt", map_location="cpu"))
    test = TensorDataset(*torch.load("shells_test.pt", map_location="cpu"))
    train_sampler = DistributedSampler(train)
    test_sampler = DistributedSampler(test, shuffle=False)
    train_loader = DataLoader(train, batch_size=100, sampler=train_sampler)
    test_loader = DataLoader(test, batch_size=100, sampler=test_sampler)
    model = DDP(nn.Sequential(nn.Flatten(), nn.Linear(784, 10)).to(device), device_ids=[device.index])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    best = 0.0
    for epoch in range(20):
        train_sampler.set_epoch(epoch)
        model.train()
        for pixels, label in train_loader:
            loss = nn.functional.cross_entropy(model(pixels.to(device)), label.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        score = accuracy(model, test_loader, device)
        if score > best:  # expect: rank-local-loop-exit
            best = score
            save_together(model, "shells.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
