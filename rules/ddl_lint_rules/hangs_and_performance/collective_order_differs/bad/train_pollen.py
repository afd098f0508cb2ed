"""Pollen counts from weather maps. torchrun --nproc-per-node 4 train_pollen.py"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Maps(Dataset):
    """Maps of temperature and wind with the count of the next day."""

    def __init__(self, count: int):
        generator = torch.Generator().manual_seed(6)
        self.maps = torch.rand(count, 2, 16, 16, generator=generator)
        self.counts = self.maps.mean((1, 2, 3)) * 40

    def __len__(self):
        return len(self.maps)

    def __getitem__(self, index):
        return self.maps[index], self.counts[index]


def network() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(2, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(128, 1), nn.Softplus()
    )


def report(epoch: int, loss: torch.Tensor, days: torch.Tensor) -> None:
    """Loss per day over all ranks, printed by the first."""
    if dist.get_rank() == 0:
        dist.all_reduce(loss)  # error: [collective-order-differs]
        dist.all_reduce(days)
        print(f"epoch {epoch}: {(loss / days).item():.3f} over {int(days)} days")
    else:
        dist.all_reduce(days)  # related: [collective-order-differs]
        dist.all_reduce(loss)


def main() -> None:
    cuda = torch.cuda.is_available()
    local_rank = int(os.environ["LOCAL_RANK"])
    if cuda:
        torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl" if cuda else "gloo")
    device = torch.device("cuda", local_rank) if cuda else torch.device("cpu")
    torch.manual_seed(1)
    dataset = Maps(4096)
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=32, sampler=sampler)
    model = DDP(network().to(device), device_ids=[local_rank] if cuda else None)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(10):
        sampler.set_epoch(epoch)
        loss_sum, days = torch.zeros(1, device=device), torch.zeros(1, device=device)
        for maps, counts in loader:
            loss = nn.functional.poisson_nll_loss(model(maps.to(device)).squeeze(1), counts.to(device), log_input=False)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            loss_sum += loss.detach() * len(maps)
            days += len(maps)
        report(epoch, loss_sum, days)
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "pollen.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
