# silent: Accelerate prepares the loader and advances the epoch; the helper's own sampler is for runs without it
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def quotes_loader(n, batch_size, accelerator=None):
    generator = torch.Generator().manual_seed(4)
    quotes = torch.rand(n, 12, generator=generator)
    data = TensorDataset(quotes, quotes.max(1, keepdim=True).values)
    if accelerator is not None:
        return accelerator.prepare(DataLoader(data, batch_size=batch_size, shuffle=True))
    return DataLoader(data, batch_size=batch_size, sampler=DistributedSampler(data))


def main(epochs=5):
    accelerator = Accelerator()
    loader = quotes_loader(3000, 30, accelerator)
    torch.manual_seed(0)
    net = nn.Linear(12, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net, optimizer = accelerator.prepare(net, optimizer)
    for epoch in range(epochs):
        for quote, highest in loader:
            optimizer.zero_grad()
            accelerator.backward(nn.functional.mse_loss(net(quote), highest))
            optimizer.step()
        accelerator.print("epoch", epoch)


if __name__ == "__main__":
    main()
