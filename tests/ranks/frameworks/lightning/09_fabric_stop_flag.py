import time

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main(limit=3600.0):
    fabric = L.Fabric(accelerator="cuda", devices=4, strategy="ddp")
    fabric.launch()
    fabric.seed_everything(2)
    model = nn.Linear(10, 1)
    model, optimizer = fabric.setup(model, torch.optim.SGD(model.parameters(), lr=0.1))
    loader = fabric.setup_dataloaders(DataLoader(TensorDataset(torch.rand(640, 10)), batch_size=8, shuffle=True))
    start = time.monotonic()
    for epoch in range(1000):
        for (batch,) in loader:
            optimizer.zero_grad()
            fabric.backward(model(batch).square().mean())
            optimizer.step()
        over = time.monotonic() - start > limit if fabric.global_rank == 0 else None
        over = fabric.broadcast(over, src=0)
        if over:
            break
    fabric.print("finished after", epoch)


if __name__ == "__main__":
    main()
