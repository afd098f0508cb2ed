"""Bird-song classifier on log-mel patches. torchrun --nproc-per-node 4 train_birdsong.py"""

import os
from dataclasses import dataclass

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


@dataclass
class Settings:
    species: int = 24
    patches: int = 9000
    batch_size: int = 48
    epochs: int = 15
    lr: float = 3e-4
    checkpoint: str = "birdsong.pt"


def make_patches(settings: Settings) -> TensorDataset:
    generator = torch.Generator().manual_seed(99)
    label = torch.randint(0, settings.species, (settings.patches,), generator=generator)
    patch = torch.randn(settings.patches, 1, 40, 32, generator=generator) + label[:, None, None, None] / 10
    return TensorDataset(patch, label)


def make_model(species: int) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 24, 5, stride=2),
        nn.ReLU(),
        nn.Conv2d(24, 48, 3, stride=2),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(48 * 8 * 6, species),
    )


def main():
    settings = Settings()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    torch.manual_seed(5)

    patches = make_patches(settings)
    sampler = DistributedSampler(patches, drop_last=True)  # related: [missing-set-epoch]
    loader = DataLoader(patches, batch_size=settings.batch_size, sampler=sampler, num_workers=4, pin_memory=True)

    net = DDP(make_model(settings.species).to(device), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(net.parameters(), lr=settings.lr)

    for epoch in range(settings.epochs):  # error: [missing-set-epoch]
        net.train()
        for patch, label in loader:
            optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(net(patch.to(device)), label.to(device))
            loss.backward()
            optimizer.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: last loss {loss.item():.3f}")
            torch.save({"net": net.module.state_dict(), "epoch": epoch}, settings.checkpoint)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
