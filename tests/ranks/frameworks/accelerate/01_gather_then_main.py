import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    accelerator = Accelerator()
    set_seed(1)
    inputs = torch.rand(256, 6)
    train = DataLoader(TensorDataset(inputs, inputs.sum(1, keepdim=True)), batch_size=8, shuffle=True)
    test = DataLoader(TensorDataset(inputs[:64], inputs[:64].sum(1, keepdim=True)), batch_size=8)
    model = nn.Linear(6, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    model, optimizer, train, test = accelerator.prepare(model, optimizer, train, test)
    for epoch in range(3):
        model.train()
        for x, y in train:
            optimizer.zero_grad()
            accelerator.backward(nn.functional.mse_loss(model(x), y))
            optimizer.step()
        model.eval()
        errors = []
        for x, y in test:
            with torch.no_grad():
                predicted = model(x)
            predicted, y = accelerator.gather_for_metrics((predicted, y))
            errors.append((predicted - y).abs().mean())
        if accelerator.is_main_process:
            print(epoch, torch.stack(errors).mean().item())


if __name__ == "__main__":
    main()
