import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator()


@accelerator.on_last_process
def summarize(losses):
    everything = accelerator.gather(torch.stack(losses))  # expect: collective-under-rank-guard
    print(everything.mean().item())


@accelerator.on_local_main_process
def note(text):
    print(text)


def main():
    generator = torch.Generator().manual_seed(3)
    kelp = torch.rand(640, 4, generator=generator)
    loader = DataLoader(TensorDataset(kelp), batch_size=32, shuffle=True)
    net = nn.Linear(4, 4)
    optimizer = torch.optim.Adam(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    losses = []
    for (blade,) in loader:
        loss = (net(blade) - blade.sort(1).values).square().mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.detach())
    note("trained")
    summarize(losses)


if __name__ == "__main__":
    main()
