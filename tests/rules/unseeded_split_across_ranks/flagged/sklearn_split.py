import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from sklearn.model_selection import train_test_split



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


def main():
    dist.init_process_group("gloo")
    table = torch.load("rows.pt", map_location="cpu")
    train_rows, val_rows = train_test_split(table, test_size=0.25)  # expect: unseeded-split-across-ranks
    train(TensorDataset(train_rows[:, :6], train_rows[:, 6:]))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
