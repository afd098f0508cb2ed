# witness: wrong, on accelerate
import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator(cpu=True)
    torch.manual_seed(0)
    numbers = torch.arange(10.0).unsqueeze(1)
    model = nn.Linear(1, 1)
    model, loader = accelerator.prepare(model, DataLoader(TensorDataset(numbers), batch_size=4))
    model.eval()
    predictions = []
    with torch.no_grad():
        for (x,) in loader:
            predictions.append(accelerator.gather(model(x)))
    print("result:", torch.cat(predictions).shape[0])
    accelerator.end_training()


if __name__ == "__main__":
    main()
