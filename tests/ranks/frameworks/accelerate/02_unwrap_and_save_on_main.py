import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator()
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.rand(128, 4)), batch_size=4, shuffle=True)
    model = nn.Linear(4, 4)
    optimizer = torch.optim.Adam(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for (batch,) in loader:
        optimizer.zero_grad()
        accelerator.backward(model(batch).square().mean())
        optimizer.step()
    accelerator.wait_for_everyone()
    if accelerator.is_main_process:
        unwrapped = accelerator.unwrap_model(model)
        accelerator.save(unwrapped.state_dict(), "lichen.pt")
    accelerator.wait_for_everyone()
    accelerator.end_training()


if __name__ == "__main__":
    main()
