# silent: one process alone trains, as Fabric is told, and its GPU is the first one
import lightning as L
import torch
import torch.nn.functional as F
from torch import nn


def main():
    fabric = L.Fabric(accelerator="cuda", devices=1)
    model = nn.Linear(48, 9)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer = fabric.setup(model, optimizer)
    whales = torch.load("whales.pt", map_location="cpu").to("cuda:0")
    songs = torch.load("songs.pt", map_location="cpu").to("cuda:0")
    for first in range(0, len(whales), 64):
        loss = F.cross_entropy(model(whales[first : first + 64]), songs[first : first + 64])
        optimizer.zero_grad()
        fabric.backward(loss)
        optimizer.step()


if __name__ == "__main__":
    main()
