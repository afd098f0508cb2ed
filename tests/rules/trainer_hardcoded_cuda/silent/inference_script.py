# silent: nothing is trained
import torch
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
    loader = DataLoader(songs, batch_size=32, shuffle=True)
    model, loader = accelerator.prepare(model, loader)
    model.eval()
    offset = torch.ones(40, device="cuda:0")
    with torch.no_grad():
        for spectra, _ in loader:
            accelerator.print((model(spectra) + offset).argmax(-1))


if __name__ == "__main__":
    main()
