"""Start with: torchrun --nproc-per-node 2 train_sensors.py --table readings.pt"""

import argparse

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

from network import SensorNet


def load_table(path: str, sensors: int) -> TensorDataset:
    table = torch.load(path, map_location="cpu")
    return TensorDataset(table[:, :sensors], table[:, sensors:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", required=True)
    parser.add_argument("--sensors", type=int, default=24)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=128)
    args = parser.parse_args()

    dist.init_process_group("gloo")
    torch.manual_seed(0)
    data = load_table(args.table, args.sensors)
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=args.batch_size, sampler=sampler)
    model = DDP(SensorNet(args.sensors))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for readings, target in loader:
            optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.mse_loss(model(readings), target)
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            torch.save(model.module.state_dict(), "sensors.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
