# silent: the parent splits once, and hands the parts to the processes
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset, random_split



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


def work(rank, world_size, train_set):
    dist.init_process_group("gloo", "tcp://127.0.0.1:29511", rank=rank, world_size=world_size)
    train(train_set)
    dist.destroy_process_group()


def main():
    train_set, val_set = random_split(all_rows(), [0.8, 0.2])
    mp.spawn(work, args=(2, train_set), nprocs=2)


if __name__ == "__main__":
    main()
