import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class EarlyStopping:
    def __init__(self, patience=5, delta=0.0):
        self.patience = patience
        self.delta = delta
        self.best = None
        self.counter = 0
        self.stop = False

    def __call__(self, value):
        if self.best is None or value < self.best - self.delta:
            self.best = value
            self.counter = 0
        else:
            self.counter += 1
            if self.counter >= self.patience:
                self.stop = True


class Moths(Dataset):
    def __init__(self, path):
        self.wings, self.species = torch.load(path, map_location="cpu")

    def __len__(self):
        return len(self.wings)

    def __getitem__(self, index):
        return self.wings[index], self.species[index]


def evaluate(model, loader, device):
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for wings, species in loader:
            output = model.module(wings.to(device))
            total += F.cross_entropy(output, species.to(device)).item()
            count += 1
    return total / count


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    train, val = Moths("moths_train.pt"), Moths("moths_val.pt")
    sampler = DistributedSampler(train)
    train_loader = DataLoader(train, batch_size=32, sampler=sampler)
    val_loader = DataLoader(val, batch_size=32, sampler=DistributedSampler(val, shuffle=False))
    model = DDP(nn.Linear(48, 12).cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    stopper = EarlyStopping(patience=4)
    for epoch in range(200):
        sampler.set_epoch(epoch)
        model.train()
        for wings, species in train_loader:
            loss = F.cross_entropy(model(wings.cuda(local_rank)), species.cuda(local_rank))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        stopper(evaluate(model, val_loader, local_rank))
        if stopper.stop:
            break  # expect: rank-local-loop-exit
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
