from accelerate import Accelerator
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from transformers import get_linear_schedule_with_warmup

EPOCHS = 3


def main() -> None:
    accelerator = Accelerator()
    net = nn.Linear(16, 1)
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4)
    loader = DataLoader(TensorDataset(torch.randn(1000, 16)), batch_size=8, shuffle=True)
    schedule = get_linear_schedule_with_warmup(optimizer, 0, EPOCHS * len(loader))  # error: [steps-from-unprepared-loader]
    net, optimizer, loader = accelerator.prepare(net, optimizer, loader)  # related: [steps-from-unprepared-loader]
    for _ in range(EPOCHS):
        for (readings,) in loader:
            loss = net(readings).pow(2).mean()
            optimizer.zero_grad()
            accelerator.backward(loss)
            optimizer.step()
            schedule.step()  # related: [steps-from-unprepared-loader]


if __name__ == "__main__":
    main()
