# witness: wrong, on accelerate
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator(cpu=True, gradient_accumulation_steps=4)
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(torch.linspace(-1, 1, 64).unsqueeze(1)), batch_size=4)
    model = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for (x,) in loader:
        with accelerator.accumulate(model):
            loss = (model(x) - 2 * x).square().mean()
            accelerator.backward(loss / 4)
            optimizer.step()
            optimizer.zero_grad()
    print("result:", f"{accelerator.unwrap_model(model).weight.item():.4f}")
    accelerator.end_training()


if __name__ == "__main__":
    main()
