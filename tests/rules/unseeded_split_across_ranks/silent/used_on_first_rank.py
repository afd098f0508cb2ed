# silent: what is split is only looked at on rank 0; all train on everything
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
    rows = all_rows()
    train(rows)
    if dist.get_rank() == 0:
        some, rest = random_split(rows, [100, len(rows) - 100])
        print(sum(float(target) for _, target in some))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
