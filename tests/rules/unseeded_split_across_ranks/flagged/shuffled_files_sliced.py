import random
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler, TensorDataset



def train(train_set, epochs=4):
    sampler = DistributedSampler(train_set)
    loader = DataLoader(train_set, batch_size=32, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1)))
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for inputs, target in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(inputs), target).backward()
            optimizer.step()


def all_rows():
    table = torch.load("rows.pt", map_location="cpu")
    return TensorDataset(table[:, :6], table[:, 6:])


class Pieces(Dataset):
    def __init__(self, files):
        self.pieces = [torch.load(file, map_location="cpu") for file in files]

    def __len__(self):
        return len(self.pieces)

    def __getitem__(self, index):
        piece = self.pieces[index]
        return piece[:6], piece[6:]


def split_files(folder, share=0.9):
    files = sorted(Path(folder).glob("*.pt"))
    random.shuffle(files)  # expect: unseeded-split-across-ranks
    cut = int(len(files) * share)
    return files[:cut], files[cut:]


def main():
    dist.init_process_group("gloo")
    train_files, val_files = split_files("pieces")
    train(Pieces(train_files))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
