"""Predict tomorrow's rain from the pressure of a week: torchrun --nproc_per_node=gpu train_rain.py"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Forecast(nn.Module):
    def __init__(self, days=7, width=64):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(days, width), nn.GELU(), nn.Linear(width, 1))

    def forward(self, pressure):
        return self.layers(pressure)


def weather(count=8192, days=7):
    gen = torch.Generator().manual_seed(11)
    pressure = 1013 + 8 * torch.randn(count, days, generator=gen)
    rain = (1013 - pressure[:, -2:].mean(1, keepdim=True)).clamp(min=0)
    return TensorDataset(pressure, rain)


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    data = weather()
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=64, sampler=sampler)
    model = Forecast().to(local_rank)  # error: [model-not-replicated]
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(20):
        sampler.set_epoch(epoch)
        for pressure, rain in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(pressure.to(local_rank)), rain.to(local_rank))
            loss.backward()
            optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "forecast.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
