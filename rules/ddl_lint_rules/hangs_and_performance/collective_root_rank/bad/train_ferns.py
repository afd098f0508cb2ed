"""Spore counts of ferns from leaf measurements. torchrun --nproc-per-node 4 train_ferns.py ferns.pt"""

import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

EPOCHS = 40


def read(path: str) -> tuple[TensorDataset, TensorDataset]:
    ferns = torch.load(path, map_location="cpu")
    leaves, spores = ferns["leaves"], ferns["spores"]
    cut = len(leaves) // 5
    return TensorDataset(leaves[cut:], spores[cut:]), TensorDataset(leaves[:cut], spores[:cut])


@torch.no_grad()
def validation_error(model: DDP, loader: DataLoader) -> float:
    """Mean squared error over the held-out ferns of all ranks."""
    model.eval()
    sums = torch.zeros(2)
    for leaves, spores in loader:
        sums[0] += (model.module(leaves).squeeze(1) - spores).pow(2).sum()
        sums[1] += len(spores)
    model.train()
    dist.reduce(sums, dst=0)  # error: [collective-root-rank]
    return (sums[0] / sums[1]).item()  # related: [collective-root-rank]


def main(path: str) -> None:
    dist.init_process_group("gloo")
    torch.manual_seed(8)
    train, held_out = read(path)
    sampler = DistributedSampler(train)
    train_loader = DataLoader(train, batch_size=32, sampler=sampler)
    held_out_loader = DataLoader(held_out, batch_size=64, sampler=DistributedSampler(held_out, shuffle=False))
    model = DDP(nn.Sequential(nn.Linear(12, 36), nn.ReLU(), nn.Linear(36, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = ReduceLROnPlateau(optimizer, patience=3)
    for epoch in range(EPOCHS):
        sampler.set_epoch(epoch)
        for leaves, spores in train_loader:
            loss = nn.functional.mse_loss(model(leaves).squeeze(1), spores)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        error = validation_error(model, held_out_loader)
        scheduler.step(error)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: {error:.4f}, lr {optimizer.param_groups[0]['lr']:.1e}")
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "ferns_model.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
