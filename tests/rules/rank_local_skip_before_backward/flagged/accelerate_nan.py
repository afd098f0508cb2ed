import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator(mixed_precision="bf16")
    torch.manual_seed(3)
    x = torch.randn(30000, 13)
    loader = DataLoader(TensorDataset(x, x.norm(dim=1)), batch_size=100, shuffle=True)
    model = nn.Sequential(nn.Linear(13, 39), nn.Softplus(), nn.Linear(39, 1))
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for _ in range(8):
        for features, target in loader:
            loss = nn.functional.mse_loss(model(features).squeeze(1), target)
            if torch.isnan(loss):
                optimizer.zero_grad()
                continue  # expect: rank-local-skip-before-backward
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
    accelerator.wait_for_everyone()


if __name__ == "__main__":
    main()
