"""Predict the arrival delay of a train from the state of its line. One process per GPU, or on the CPU with gloo.

torchrun --nproc-per-node 8 train.py
"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

EPOCHS = 20


def journeys(count: int, seed: int) -> TensorDataset:
    """Synthetic: 24 readings of the line and the delay in minutes."""
    generator = torch.Generator().manual_seed(seed)
    line = torch.randn(count, 24, generator=generator)
    return TensorDataset(line, line.clamp(min=0).sum(1, keepdim=True))


@torch.no_grad()
def mean_error(model: nn.Module, loader: DataLoader, device: torch.device) -> float | None:
    """Mean absolute error in minutes over the journeys of all ranks, on rank 0."""
    sums = torch.zeros(2, device=device)
    for line, delay in loader:
        sums[0] += (model(line.to(device)) - delay.to(device)).abs().sum()
        sums[1] += len(delay)
    if dist.get_rank() != 0:
        return None
    dist.all_reduce(sums)
    return (sums[0] / sums[1]).item()


def main() -> None:
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if cuda else "gloo")

    torch.manual_seed(3)
    net = nn.Sequential(nn.Linear(24, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
    model = DistributedDataParallel(net, device_ids=[device.index] if cuda else None)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    train_set, test_set = journeys(40_000, seed=1), journeys(4_000, seed=2)
    sampler = DistributedSampler(train_set)
    train_loader = DataLoader(train_set, batch_size=64, sampler=sampler)
    test_loader = DataLoader(test_set, batch_size=64, sampler=DistributedSampler(test_set, shuffle=False))

    for epoch in range(EPOCHS):
        sampler.set_epoch(epoch)
        for line, delay in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.l1_loss(model(line.to(device)), delay.to(device))
            loss.backward()
            optimizer.step()
        error = mean_error(net, test_loader, device)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {error:.2f} minutes")
            torch.save(net.state_dict(), "delays.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
