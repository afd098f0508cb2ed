"""Find defects in photographs of woven cloth: torchrun --nproc_per_node=gpu train_defects.py"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Cloth(Dataset):
    """Striped swatches; a defect is a bright square somewhere in the weave."""

    def __init__(self, count=3000, size=32):
        gen = torch.Generator().manual_seed(41)
        stripes = torch.sin(torch.arange(size) / 2.0).expand(count, 1, size, size)
        self.photo = stripes + 0.1 * torch.randn(count, 1, size, size, generator=gen)
        self.defect = torch.randint(0, 2, (count,), generator=gen)
        self.photo[self.defect == 1, :, 8:12, 8:12] += 2.0

    def __len__(self):
        return len(self.defect)

    def __getitem__(self, index):
        return self.photo[index], self.defect[index]


def build_model(channels):
    return nn.Sequential(
        nn.Conv2d(1, channels, 3, padding=1),
        nn.ReLU(),
        nn.AdaptiveMaxPool2d(4),
        nn.Flatten(),
        nn.Linear(16 * channels, 2),
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--channels", type=int, default=24)
    parser.add_argument("--epochs", type=int, default=6)
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")

    cloth = Cloth()
    sampler = DistributedSampler(cloth, shuffle=True)
    loader = DataLoader(cloth, batch_size=50, sampler=sampler, pin_memory=True)
    model = build_model(args.channels)
    model = DDP(model, device_ids=[local_rank])  # error: [ddp-device-ids-mismatch]
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for photo, defect in loader:
            logits = model(photo.to(local_rank, non_blocking=True))
            loss = nn.functional.cross_entropy(logits, defect.to(local_rank, non_blocking=True))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "defects.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
