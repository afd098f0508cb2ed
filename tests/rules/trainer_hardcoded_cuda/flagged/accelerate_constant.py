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
    weight = torch.ones(40).to("cuda:0")  # expect: trainer-hardcoded-cuda
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(3):
        model.train()
        for step, (spectra, birds) in enumerate(loader):
            loss = F.cross_entropy(model(spectra), birds, weight=weight)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()


if __name__ == "__main__":
    main()
