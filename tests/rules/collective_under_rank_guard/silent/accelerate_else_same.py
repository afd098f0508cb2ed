# silent: the other processes make the same call in the else arm
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator()
    generator = torch.Generator().manual_seed(5)
    cogs = torch.rand(600, 3, generator=generator)
    loader = DataLoader(TensorDataset(cogs), batch_size=20, shuffle=True)
    net = nn.Linear(3, 3)
    optimizer = torch.optim.Adam(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for (cog,) in loader:
        loss = (net(cog) - cog).square().mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    if accelerator.is_main_process:
        losses = accelerator.gather(loss.detach())
        print(losses.mean().item())
        with open("cogs.txt", "w") as file:
            file.write(str(losses.tolist()))
        accelerator.wait_for_everyone()
    else:
        accelerator.gather(loss.detach())
        accelerator.wait_for_everyone()


if __name__ == "__main__":
    main()
