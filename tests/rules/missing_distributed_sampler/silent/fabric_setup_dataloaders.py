# silent: the loader goes through fabric.setup_dataloaders
import torch
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def sensor_log(n):
    generator = torch.Generator().manual_seed(12)
    reading = torch.randn(n, 6, generator=generator)
    return TensorDataset(reading, reading.sum(dim=1, keepdim=True))


def main():
    fabric = Fabric(accelerator="auto", devices=4, strategy="ddp")
    fabric.launch()
    fabric.seed_everything(3)
    model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    model, optimizer = fabric.setup(model, optimizer)
    loader = DataLoader(sensor_log(8192), batch_size=128, shuffle=True)
    loader = fabric.setup_dataloaders(loader)
    for epoch in range(5):
        for reading, total in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(reading), total)
            fabric.backward(loss)
            optimizer.step()
        fabric.print(f"epoch {epoch}: {loss.item():.4f}")
    fabric.save("sensor.ckpt", {"model": model})


if __name__ == "__main__":
    main()
