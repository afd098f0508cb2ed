"""Learn the tides of many harbours in large batches: torchrun --nproc_per_node=gpu train_tides.py"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def harbours(count=6000, hours=48):
    gen = torch.Generator().manual_seed(5)
    phase = 6.28 * torch.rand(count, 1, generator=gen)
    tide = torch.sin(torch.arange(hours + 1) * 0.506 + phase) + 0.1 * torch.randn(count, hours + 1, generator=gen)
    return TensorDataset(tide[:, :-1], tide[:, -1:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--accumulate", type=int, default=8)
    args = parser.parse_args()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl")

    data = harbours()
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=64, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(48, 96), nn.GELU(), nn.Linear(96, 1)).to(device), device_ids=[device.index])
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for i, (tide, following) in enumerate(loader):
            last = (i + 1) % args.accumulate == 0
            with model.no_sync():  # error: [ddp-no-sync-misuse]
                guess = model(tide.to(device))
                loss = nn.functional.mse_loss(guess, following.to(device)) / args.accumulate
                loss.backward()
            if last:
                optimizer.step()
                optimizer.zero_grad()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "tides.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
