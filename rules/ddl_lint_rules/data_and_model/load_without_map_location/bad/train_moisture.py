"""Predict soil moisture from a week of weather readings; torchrun --nproc_per_node=4 train_moisture.py --resume."""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def readings(count=4096, days=7, sensors=5):
    gen = torch.Generator().manual_seed(17)
    weather = torch.randn(count, days * sensors, generator=gen)
    moisture = weather[:, :sensors].mean(dim=1, keepdim=True)
    return TensorDataset(weather, moisture)


def build_model():
    return nn.Sequential(nn.Linear(35, 128), nn.GELU(), nn.Linear(128, 1))


def resume(path, model, optimizer):
    state = torch.load(path)  # error: [load-without-map-location]
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return state["epoch"] + 1


def save(path, model, optimizer, epoch):
    state = {"model": model.module.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
    torch.save(state, path)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--snapshot", default="moisture.pt")
    parser.add_argument("--resume", action="store_true")
    args = parser.parse_args()

    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)

    model = build_model().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    first_epoch = resume(args.snapshot, model, optimizer) if args.resume else 0
    model = DDP(model, device_ids=[local_rank])

    dataset = readings()
    sampler = DistributedSampler(dataset, shuffle=True)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    for epoch in range(first_epoch, args.epochs):
        sampler.set_epoch(epoch)
        for weather, moisture in loader:
            loss = nn.functional.mse_loss(model(weather.to(device)), moisture.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            save(args.snapshot, model, optimizer, epoch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
