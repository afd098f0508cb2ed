import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SongNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(128, 40)

    def forward(self, spectra):
        return self.body(spectra)


def main():
    accelerator = Accelerator()
    songs = TensorDataset(torch.load("spectra.pt"), torch.load("birds.pt"))
    model = SongNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(songs, batch_size=32, shuffle=True)
    checks = DataLoader(TensorDataset(torch.load("more.pt"), torch.load("names.pt")), batch_size=32)
    model, optimizer, loader, checks = accelerator.prepare(model, optimizer, loader, checks)
    for epoch in range(3):
        model.train()
        for step, (spectra, birds) in enumerate(loader):
            loss = F.cross_entropy(model(spectra), birds)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
    right = 0
    model.eval()
    for spectra, birds in checks:
        with torch.no_grad():
            logits = model(spectra)
        logits, birds = accelerator.gather((logits, birds))  # expect: accelerate-gather-for-metrics
        right += (logits.argmax(-1) == birds).sum().item()


if __name__ == "__main__":
    main()
