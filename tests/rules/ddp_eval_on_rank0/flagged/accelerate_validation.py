import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Tone(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(30)
        self.out = nn.Linear(30, 2)

    def forward(self, sounds):
        return self.out(self.norm(sounds))


def main():
    accelerator = Accelerator()
    generator = torch.Generator().manual_seed(8)
    sounds = torch.rand(3000, 30, generator=generator)
    loader = DataLoader(TensorDataset(sounds, sounds[:, :2].argmax(1)), batch_size=50, shuffle=True)
    held_out = torch.rand(100, 30, generator=generator).to(accelerator.device)
    net = Tone()
    optimizer = torch.optim.AdamW(net.parameters())
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)
    for epoch in range(5):
        net.train()
        for sound, kind in loader:
            loss = nn.functional.cross_entropy(net(sound), kind)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        if accelerator.is_main_process:
            net.eval()
            with torch.no_grad():
                print(epoch, net(held_out).softmax(1).mean(0).tolist())  # expect: ddp-eval-on-rank0


if __name__ == "__main__":
    main()
