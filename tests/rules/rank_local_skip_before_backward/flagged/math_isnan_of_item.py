import argparse
import logging
import math
import os

import torch
import torch.distributed as dist
import torch.nn as nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler


class Melodies(Dataset):
    def __init__(self, root):
        self.files = sorted(os.path.join(root, name) for name in os.listdir(root))

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        notes = torch.load(self.files[index], map_location="cpu")
        return notes[:-1], notes[1:]


class Tune(nn.Module):
    def __init__(self, notes=128, width=96):
        super().__init__()
        self.embed = nn.Embedding(notes, width)
        self.rnn = nn.GRU(width, width, batch_first=True)
        self.head = nn.Linear(width, notes)

    def forward(self, x):
        hidden, _ = self.rnn(self.embed(x))
        return self.head(hidden)


def train(model, loader, optimizer, criterion, device, log):
    model.train()
    for index, (notes, following) in enumerate(loader):
        optimizer.zero_grad()
        logits = model(notes.to(device))
        loss = criterion(logits.flatten(0, 1), following.to(device).flatten())
        if math.isnan(loss.item()):
            log.warning("NaN in batch %d, skipping", index)
            continue  # expect: rank-local-skip-before-backward
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root")
    parser.add_argument("--epochs", type=int, default=10)
    args = parser.parse_args()
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    data = Melodies(args.root)
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=1, sampler=sampler)
    model = DistributedDataParallel(Tune().to(device), device_ids=[device.index])
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        train(model, loader, optimizer, nn.CrossEntropyLoss(), device, logging.getLogger("tune"))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
