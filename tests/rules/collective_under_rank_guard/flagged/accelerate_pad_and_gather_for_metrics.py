import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def evaluate(accelerator, net, loader):
    right = seen = 0
    net.eval()
    for signals, labels in loader:
        with torch.no_grad():
            guesses = net(signals).argmax(1)
        if accelerator.process_index == 0:
            guesses, labels = accelerator.gather_for_metrics((guesses, labels))  # expect: collective-under-rank-guard
        right += int((guesses == labels).sum())
        seen += len(labels)
    net.train()
    return right / seen


def main():
    accelerator = Accelerator()
    generator = torch.Generator().manual_seed(3)
    signals = torch.rand(2000, 22, generator=generator)
    labels = signals[:, :4].argmax(1)
    training = DataLoader(TensorDataset(signals[:1600], labels[:1600]), batch_size=32, shuffle=True)
    validation = DataLoader(TensorDataset(signals[1600:], labels[1600:]), batch_size=32)
    net = nn.Linear(22, 4)
    optimizer = torch.optim.Adam(net.parameters())
    net, optimizer, training, validation = accelerator.prepare(net, optimizer, training, validation)
    for batch, kind in training:
        accelerator.backward(nn.functional.cross_entropy(net(batch), kind))
        optimizer.step()
        optimizer.zero_grad()
    accelerator.print(evaluate(accelerator, net, validation))


if __name__ == "__main__":
    main()
