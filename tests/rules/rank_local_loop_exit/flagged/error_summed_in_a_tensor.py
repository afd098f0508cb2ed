import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def held_out_error(net, loader, device):
    totals = torch.zeros(2, device=device)
    with torch.no_grad():
        for rain, river in loader:
            totals[0] += (net(rain.to(device)) - river.to(device)).abs().sum()
            totals[1] += len(rain)
    return (totals[0] / totals[1]).item()


def main():
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)
    dist.init_process_group("nccl")
    device = torch.device("cuda", gpu)
    gauges, checks = TensorDataset(*torch.load("gauges.pt")), TensorDataset(*torch.load("checks.pt"))
    sampler = DistributedSampler(gauges)
    loader = DataLoader(gauges, batch_size=64, sampler=sampler)
    check_loader = DataLoader(checks, batch_size=64, sampler=DistributedSampler(checks, shuffle=False))
    net = DDP(nn.Linear(30, 1).to(device), device_ids=[gpu])
    optimizer = torch.optim.Adam(net.parameters())
    best, since = float("inf"), 0
    for epoch in range(200):
        sampler.set_epoch(epoch)
        for rain, river in loader:
            optimizer.zero_grad()
            nn.functional.l1_loss(net(rain.to(device)), river.to(device)).backward()
            optimizer.step()
        error = held_out_error(net, check_loader, device)
        since = 0 if error < best else since + 1
        best = min(best, error)
        if since > 8:
            break  # expect: rank-local-loop-exit
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
