# witness: wrong, on accelerate
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator(cpu=True)
    torch.manual_seed(accelerator.process_index)
    dataset = TensorDataset(torch.linspace(-1, 1, 32).unsqueeze(1))
    loader = DataLoader(dataset, batch_size=4)
    model = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    accelerator.prepare(model, optimizer, loader)
    for (x,) in loader:
        loss = (model(x) - 2 * x).square().mean()
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()
    print("result:", f"{accelerator.unwrap_model(model).weight.item():.4f}")
    accelerator.end_training()


if __name__ == "__main__":
    main()
