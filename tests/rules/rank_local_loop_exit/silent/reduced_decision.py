# silent: the ranks reduce the decision before they act on it
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
    args = parser.parse_args()
    started = time.time()
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    data = TensorDataset(*torch.load("grains.pt", map_location="cpu"))
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=64, sampler=sampler)
    model = DDP(nn.Linear(120, 1).to(device), device_ids=[device.index])
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-4)
    for epoch in range(100):
        sampler.set_epoch(epoch)
        for spectra, protein in loader:
            loss = nn.functional.mse_loss(model(spectra.to(device)).squeeze(1), protein.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        over = torch.tensor(float(time.time() - started > args.hours * 3600), device=device)
        dist.all_reduce(over, op=dist.ReduceOp.MAX)
        if over.item():
            break
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
