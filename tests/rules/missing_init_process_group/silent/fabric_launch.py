# silent: fabric.launch() starts the processes and their group
import torch
import torch.distributed as dist
from lightning.fabric import Fabric
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    fabric = Fabric(accelerator="gpu", devices=2, strategy="ddp")
    fabric.launch()
    fabric.seed_everything(5)

    inputs = torch.rand(2048, 12)
    dataset = TensorDataset(inputs, inputs.sum(dim=1))
    loader = fabric.setup_dataloaders(DataLoader(dataset, batch_size=32, shuffle=True))

    model = nn.Sequential(nn.Linear(12, 48), nn.Tanh(), nn.Linear(48, 1))
    model, optimizer = fabric.setup(model, torch.optim.SGD(model.parameters(), lr=0.02))

    for epoch in range(4):
        for features, target in loader:
            optimizer.zero_grad()
            loss = (model(features).squeeze(-1) - target).pow(2).mean()
            fabric.backward(loss)
            optimizer.step()
        worst = loss.detach().clone()
        dist.all_reduce(worst, op=dist.ReduceOp.MAX)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: worst loss {worst.item():.4f}")


if __name__ == "__main__":
    main()
