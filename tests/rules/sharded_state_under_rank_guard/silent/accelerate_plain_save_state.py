# silent: save_state under the guard, in plain data parallel training
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator(mixed_precision="fp16")
    ferries = torch.rand(4000, 32, generator=torch.Generator().manual_seed(1))
    loader = DataLoader(TensorDataset(ferries), batch_size=40, shuffle=True)
    net = nn.Linear(32, 32)
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for epoch in range(3):
        for (ferry,) in loader:
            loss = (net(ferry) - ferry).square().mean()
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        if accelerator.is_main_process:
            accelerator.save_state(f"ferries/{epoch}")


if __name__ == "__main__":
    main()
