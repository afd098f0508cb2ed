import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def validate(accelerator, model, loader):
    model.eval()
    guesses, truth = [], []
    for x, y in loader:
        with torch.no_grad():
            guesses.append(model(x).argmax(dim=-1))
        truth.append(y)
    model.train()
    guesses, truth = torch.cat(guesses), torch.cat(truth)
    if not accelerator.is_main_process:
        return None  # expect: early-exit-before-collective
    guesses, truth = accelerator.gather_for_metrics((guesses, truth))
    return (guesses == truth).float().mean().item()


def main():
    accelerator = Accelerator()
    torch.manual_seed(0)
    x = torch.randn(4096, 12)
    y = (x.pow(2).sum(1) > 12).long()
    train_loader = DataLoader(TensorDataset(x[:3072], y[:3072]), batch_size=32, shuffle=True)
    val_loader = DataLoader(TensorDataset(x[3072:], y[3072:]), batch_size=64)
    model = nn.Sequential(nn.Linear(12, 48), nn.ReLU(), nn.Linear(48, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model, optimizer, train_loader, val_loader = accelerator.prepare(model, optimizer, train_loader, val_loader)
    for epoch in range(6):
        for features, label in train_loader:
            loss = nn.functional.cross_entropy(model(features), label)
            optimizer.zero_grad()
            accelerator.backward(loss)
            optimizer.step()
        accelerator.print(epoch, validate(accelerator, model, val_loader))


if __name__ == "__main__":
    main()
