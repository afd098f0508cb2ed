# silent: accelerate's notebook_launcher calls the function with args alone, without an index
import torch
from accelerate import Accelerator, notebook_launcher
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def training_function(lr, epochs):
    accelerator = Accelerator()
    torch.manual_seed(12)
    lamps = torch.rand(900, 10)
    loader = DataLoader(TensorDataset(lamps, lamps.sum(dim=1)), batch_size=30, shuffle=True)
    model = nn.Linear(10, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for _ in range(epochs):
        for features, target in loader:
            loss = (model(features).squeeze(-1) - target).pow(2).mean()
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
    accelerator.print(loss.item())


notebook_launcher(training_function, args=(0.05, 3), num_processes=2)
