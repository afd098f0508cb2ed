import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from transformers import get_cosine_schedule_with_warmup

EPOCHS = 12


def main():
    accelerator = Accelerator()
    data = TensorDataset(torch.randn(4096, 24), torch.randn(4096, 1))
    loader = DataLoader(data, batch_size=16, shuffle=True)
    model = nn.Linear(24, 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    total = EPOCHS * len(loader)  # related: [prepared-schedule-too-fast]
    schedule = get_cosine_schedule_with_warmup(optimizer, total // 20, total)  # error: [prepared-schedule-too-fast]
    schedule = accelerator.prepare(schedule)  # related: [prepared-schedule-too-fast]
    for epoch in range(EPOCHS):
        for feature, target in loader:
            loss = nn.functional.mse_loss(model(feature), target)
            accelerator.backward(loss)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()


if __name__ == "__main__":
    main()
