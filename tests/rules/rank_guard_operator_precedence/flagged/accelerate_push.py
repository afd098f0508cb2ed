import argparse

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep-all", action="store_true")
    parser.add_argument("--keep-last", action="store_true")
    parser.add_argument("--epochs", type=int, default=6)
    args = parser.parse_args()
    accelerator = Accelerator()
    torch.manual_seed(0)
    x = torch.randn(2048, 6)
    loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=32, shuffle=True)
    model = nn.Linear(6, 1)
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(args.epochs):
        for features, target in loader:
            loss = nn.functional.mse_loss(model(features), target)
            optimizer.zero_grad()
            accelerator.backward(loss)
            optimizer.step()
        if accelerator.is_main_process and args.keep_all or args.keep_last:  # expect: rank-guard-operator-precedence
            weights = accelerator.unwrap_model(model).state_dict()
            torch.save(weights, f"heron_{epoch}.pt")


if __name__ == "__main__":
    main()
