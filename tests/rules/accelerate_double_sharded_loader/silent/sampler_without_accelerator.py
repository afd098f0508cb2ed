# silent: the loader with the sampler is used where nothing is prepared
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler
import argparse


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
    parser = argparse.ArgumentParser()
    parser.add_argument("--by-hand", action="store_true")
    by_hand = parser.parse_args().by_hand
    if by_hand:
        loader = DataLoader(songs, batch_size=32, sampler=DistributedSampler(songs))
    else:
        loader = DataLoader(songs, batch_size=32, shuffle=True)
    model, optimizer = accelerator.prepare(model, optimizer)
    if not by_hand:
        loader = accelerator.prepare(loader)
    for epoch in range(3):
        if by_hand:
            loader.sampler.set_epoch(epoch)
        model.train()
        for step, (spectra, birds) in enumerate(loader):
            loss = F.cross_entropy(model(spectra), birds)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()


if __name__ == "__main__":
    main()
