import time

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator()
    torch.manual_seed(0)
    x = torch.randn(20000, 11)
    loader = DataLoader(TensorDataset(x, x.prod(1)), batch_size=50, shuffle=True)
    model = nn.Sequential(nn.Linear(11, 90), nn.Tanh(), nn.Linear(90, 1))
    optimizer = torch.optim.Adam(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    begin = time.time()
    for _ in range(50):
        for features, target in loader:
            loss = nn.functional.mse_loss(model(features).squeeze(1), target)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        elapsed = time.time() - begin
        if elapsed > 3 * 3600:
            accelerator.print("out of time")
            break  # expect: rank-local-loop-exit
    accelerator.wait_for_everyone()
    if accelerator.is_main_process:
        torch.save(accelerator.unwrap_model(model).state_dict(), "products.pt")


if __name__ == "__main__":
    main()
