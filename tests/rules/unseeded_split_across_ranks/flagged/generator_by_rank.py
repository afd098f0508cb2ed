import torch
import torch.distributed as dist
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


def main():
    dist.init_process_group("gloo")
    generator = torch.Generator()
    generator.manual_seed(dist.get_rank())
    train_set, val_set = random_split(all_rows(), [0.8, 0.2], generator=generator)  # expect: unseeded-split-across-ranks
    train(train_set)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
