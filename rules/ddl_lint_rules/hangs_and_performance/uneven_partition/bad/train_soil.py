"""Soil-moisture regression from station files. torchrun --nproc-per-node 4 train_soil.py stations/"""

import os
import sys
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP

EPOCHS = 6


def read_station(path: Path) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows of `temperature,rain,wind,moisture`."""
    rows = [[float(cell) for cell in line.split(",")] for line in path.read_text().splitlines()[1:]]
    table = torch.tensor(rows)
    return table[:, :3], table[:, 3]


class Regressor(nn.Module):
    def __init__(self, hidden: int = 64):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, weather):
        return self.layers(weather).squeeze(-1)


def main(folder: str):
    dist.init_process_group("gloo")
    rank, world_size = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(int(os.environ.get("SEED", "2")))

    stations = sorted(Path(folder).glob("*.csv"))
    mine = stations[rank::world_size]  # error: [uneven-partition]

    model = DDP(Regressor())
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(EPOCHS):
        total = 0.0
        for path in mine:  # related: [uneven-partition]
            weather, moisture = read_station(path)
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(weather), moisture)
            loss.backward()
            optimizer.step()
            total += loss.item()
        if rank == 0:
            print(f"epoch {epoch}: {total / len(mine):.5f}")
            torch.save(model.module.state_dict(), "soil.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
