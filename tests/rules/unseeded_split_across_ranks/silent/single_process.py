# silent: one process; nothing is divided
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def main():
    rows = TensorDataset(torch.rand(1000, 6), torch.rand(1000, 1))
    train_set, val_set = random_split(rows, [900, 100])
    model = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for inputs, target in DataLoader(train_set, batch_size=32, shuffle=True):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(inputs), target).backward()
        optimizer.step()
    print(sum(nn.functional.mse_loss(model(x), y).item() for x, y in DataLoader(val_set, batch_size=32)))


if __name__ == "__main__":
    main()
