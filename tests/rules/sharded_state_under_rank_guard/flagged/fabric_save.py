import torch
from lightning.fabric import Fabric
from lightning.fabric.strategies import FSDPStrategy
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def save(fabric, path, state):
    if fabric.is_global_zero:
        fabric.save(path, state)  # expect: sharded-state-under-rank-guard


def main():
    fabric = Fabric(devices=4, strategy=FSDPStrategy())
    fabric.launch()
    fabric.seed_everything(0)
    net = fabric.setup_module(nn.Linear(700, 700))
    optimizer = fabric.setup_optimizers(torch.optim.Adam(net.parameters()))
    dust = torch.rand(800, 700)
    loader = fabric.setup_dataloaders(DataLoader(TensorDataset(dust), batch_size=8, shuffle=True))
    for (grain,) in loader:
        loss = net(grain).square().mean()
        optimizer.zero_grad()
        fabric.backward(loss)
        optimizer.step()
    save(fabric, "dust.ckpt", {"net": net, "optimizer": optimizer})


if __name__ == "__main__":
    main()
