import torch
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def train(fabric, net, optimizer, loader):
    for index, (roots,) in enumerate(loader):
        loss = (net(roots) - roots.sqrt()).square().mean()
        optimizer.zero_grad()
        fabric.backward(loss)
        optimizer.step()
        if index % 25 == 0 and fabric.global_rank == 0:
            mean = fabric.all_reduce(loss.detach(), reduce_op="mean")  # expect: collective-under-rank-guard
            fabric.print(f"{index}: {mean.item():.4f}")


def main():
    fabric = Fabric(accelerator="cuda", devices=4, strategy="ddp")
    fabric.launch()
    fabric.seed_everything(7)
    net = nn.Linear(9, 9)
    optimizer = torch.optim.Adam(net.parameters())
    net, optimizer = fabric.setup(net, optimizer)
    roots = torch.rand(6400, 9)
    loader = fabric.setup_dataloaders(DataLoader(TensorDataset(roots), batch_size=32, shuffle=True))
    train(fabric, net, optimizer, loader)


if __name__ == "__main__":
    main()
