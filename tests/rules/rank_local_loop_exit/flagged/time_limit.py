import argparse
import os
import time

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hours", type=float, default=3.5)
    parser.add_argument("--epochs", type=int, default=100)
    args = parser.parse_args()
    started = time.time()
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    grains = torch.load("grains.pt", map_location="cpu")
    data = TensorDataset(grains["spectra"], grains["protein"])
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=64, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(120, 64), nn.GELU(), nn.Linear(64, 1)).to(device), device_ids=[device.index])
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-4)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for spectra, protein in loader:
            loss = nn.functional.mse_loss(model(spectra.to(device)).squeeze(1), protein.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if time.time() - started > args.hours * 3600:
            break  # expect: rank-local-loop-exit
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "grains_model.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
