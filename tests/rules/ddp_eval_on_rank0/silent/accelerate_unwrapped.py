# silent: unwrap_model gives the plain model to the guarded evaluation
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator()
    generator = torch.Generator().manual_seed(8)
    strings = torch.rand(3000, 30, generator=generator)
    loader = DataLoader(TensorDataset(strings), batch_size=50, shuffle=True)
    held_out = torch.rand(100, 30, generator=generator).to(accelerator.device)
    net = nn.Sequential(nn.BatchNorm1d(30), nn.Linear(30, 30))
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for epoch in range(5):
        for (string,) in loader:
            loss = (net(string) - string).square().mean()
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        if accelerator.is_main_process:
            plain = accelerator.unwrap_model(net)
            plain.eval()
            with torch.no_grad():
                print(epoch, plain(held_out).mean().item())
            plain.train()


if __name__ == "__main__":
    main()
