import torch
import torch.nn.functional as F
from accelerate import Accelerator, DistributedDataParallelKwargs
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset


class SongNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(128, 40)

    def forward(self, spectra):
        return checkpoint(self.body, spectra, use_reentrant=True)


def main():
    handler = DistributedDataParallelKwargs(find_unused_parameters=True)  # expect: hf-gradient-checkpointing-find-unused
    accelerator = Accelerator(kwargs_handlers=[handler])
    songs = TensorDataset(torch.load("spectra.pt"), torch.load("birds.pt"))
    model = SongNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(songs, batch_size=32, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(3):
        model.train()
        for step, (spectra, birds) in enumerate(loader):
            loss = F.cross_entropy(model(spectra), birds)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()


if __name__ == "__main__":
    main()
