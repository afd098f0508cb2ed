# silent: the metric of torchmetrics sums up over all ranks when it is computed
import os

import torch
import torch.distributed as dist
import torchmetrics
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    dist.init_process_group("nccl")
    device = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(device)
    train = TensorDataset(*torch.load("ferns.pt", map_location="cpu"))
    val = TensorDataset(*torch.load("ferns_val.pt", map_location="cpu"))
    sampler = DistributedSampler(train)
    loader = DataLoader(train, batch_size=32, sampler=sampler)
    val_loader = DataLoader(val, batch_size=32, sampler=DistributedSampler(val, shuffle=False))
    model = DDP(nn.Linear(40, 9).to(device), device_ids=[device])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=9).to(device)
    for epoch in range(50):
        sampler.set_epoch(epoch)
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            for x, y in val_loader:
                accuracy.update(model.module(x.to(device)), y.to(device))
        model.train()
        if accuracy.compute() > 0.98:
            break
        accuracy.reset()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
