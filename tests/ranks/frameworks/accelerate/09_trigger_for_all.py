import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator()
    torch.manual_seed(0)
    model = nn.Linear(5, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(TensorDataset(torch.rand(512, 5)), batch_size=8, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(50):
        for (batch,) in loader:
            optimizer.zero_grad()
            loss = model(batch).square().mean()
            accelerator.backward(loss)
            optimizer.step()
            if loss.item() < 1e-6:
                accelerator.set_trigger()
            if accelerator.check_trigger():
                break
        total = accelerator.reduce(loss.detach(), reduction="mean")
        if total.item() < 1e-5:
            break
    accelerator.print("finished")


if __name__ == "__main__":
    main()
