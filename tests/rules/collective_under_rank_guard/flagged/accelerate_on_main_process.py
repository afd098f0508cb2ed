import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator()


@accelerator.on_main_process
def show(epoch, loss):
    mean = accelerator.reduce(loss, reduction="mean")  # expect: collective-under-rank-guard
    print(f"epoch {epoch}: {mean.item():.4f}")


def main():
    generator = torch.Generator().manual_seed(12)
    gears = torch.rand(800, 4, generator=generator)
    loader = DataLoader(TensorDataset(gears), batch_size=40, shuffle=True)
    net = nn.Linear(4, 4)
    optimizer = torch.optim.Adam(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for epoch in range(10):
        for (gear,) in loader:
            loss = (net(gear) - gear.roll(1, 1)).square().mean()
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        show(epoch, loss.detach())


if __name__ == "__main__":
    main()
