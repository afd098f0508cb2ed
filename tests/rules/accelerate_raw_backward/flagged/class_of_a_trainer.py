import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Training:
    def __init__(self, steps):
        self.accelerator = Accelerator(gradient_accumulation_steps=steps)
        model = nn.Linear(128, 40)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        songs = TensorDataset(torch.load("spectra.pt"), torch.load("birds.pt"))
        loader = DataLoader(songs, batch_size=32, shuffle=True)
        self.model, self.optimizer, self.loader = self.accelerator.prepare(model, optimizer, loader)

    def run(self):
        for spectra, birds in self.loader:
            with self.accelerator.accumulate(self.model):
                loss = F.cross_entropy(self.model(spectra), birds)
                loss.backward()  # expect: accelerate-raw-backward
                self.optimizer.step()
                self.optimizer.zero_grad()


Training(2).run()
