import torch
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    fabric = Fabric(devices=2, strategy="ddp")
    fabric.launch()
    fabric.seed_everything(4)
    net = nn.Sequential(nn.BatchNorm1d(12), nn.Linear(12, 12))
    model, optimizer = fabric.setup(net, torch.optim.Adam(net.parameters()))
    sands = torch.rand(640, 12)
    loader = fabric.setup_dataloaders(DataLoader(TensorDataset(sands), batch_size=32, shuffle=True))
    for (sand,) in loader:
        loss = (model(sand) - sand).square().mean()
        optimizer.zero_grad()
        fabric.backward(loss)
        optimizer.step()
    model.eval()
    if fabric.is_global_zero:
        with torch.no_grad():
            print(model(torch.zeros(4, 12, device=fabric.device)).mean().item())  # expect: ddp-eval-on-rank0


if __name__ == "__main__":
    main()
