import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator()
    torch.manual_seed(0)
    x = torch.randn(4096, 7)
    loader = DataLoader(TensorDataset(x, x.prod(1, keepdim=True)), batch_size=64, shuffle=True)
    model = nn.Sequential(nn.Linear(7, 49), nn.GELU(), nn.Linear(49, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    finished = False
    for epoch in range(50):
        total = 0.0
        for features, target in loader:
            loss = nn.functional.mse_loss(model(features), target)
            optimizer.zero_grad()
            accelerator.backward(loss)
            optimizer.step()
            total += loss.item()
        if accelerator.is_main_process:
            print(epoch, total / len(loader))
            finished = total / len(loader) < 1e-3
        if finished:  # expect: rank-guarded-value-steers-collective
            break
    accelerator.wait_for_everyone()
    if accelerator.is_main_process:
        torch.save(accelerator.unwrap_model(model).state_dict(), "stork.pt")


if __name__ == "__main__":
    main()
