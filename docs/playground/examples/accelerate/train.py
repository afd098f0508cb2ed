import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator()
    data = TensorDataset(torch.randn(800, 16), torch.randn(800, 1))
    model = torch.nn.Linear(16, 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model, optimizer, loader = accelerator.prepare(model, optimizer, DataLoader(data, batch_size=8, shuffle=True))
    for epoch in range(3):
        for batch, target in loader:
            optimizer.zero_grad()
            loss = (model(batch) - target).pow(2).mean()
            loss.backward()
            optimizer.step()
        if accelerator.is_main_process:
            accelerator.wait_for_everyone()
            torch.save(accelerator.unwrap_model(model).state_dict(), f"epoch{epoch}.pt")


if __name__ == "__main__":
    main()
