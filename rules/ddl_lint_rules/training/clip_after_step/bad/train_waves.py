"""Learn how high waves get from the wind before: torchrun --nproc_per_node=gpu train_waves.py"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def storms(count=6000, hours=24):
    gen = torch.Generator().manual_seed(3)
    wind = torch.rand(count, hours, generator=gen).cumsum(1)
    return TensorDataset(wind, wind[:, -1:].square())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--max-norm", type=float, default=1.0)
    args = parser.parse_args()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl")

    data = storms()
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=64, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(24, 96), nn.GELU(), nn.Linear(96, 1)).to(device), device_ids=[device.index])
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for wind, height in loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(wind.to(device)), height.to(device))
            loss.backward()
            optimizer.step()
            nn.utils.clip_grad_norm_(model.parameters(), args.max_norm)  # error: [clip-after-step]
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "waves.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
