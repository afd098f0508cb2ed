"""Classify tremors from seismometer windows with a sharded transformer.

torchrun --nproc-per-node 4 train_tremor.py
"""

import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

EPOCHS = 6


class Tremor(nn.Module):
    def __init__(self, channels=3, width=256, classes=5):
        super().__init__()
        self.project = nn.Linear(channels, width)
        layer = nn.TransformerEncoderLayer(width, 8, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 6)
        self.head = nn.Linear(width, classes)

    def forward(self, windows):
        return self.head(self.encoder(self.project(windows)).mean(1))


def windows():
    generator = torch.Generator().manual_seed(3)
    signal = torch.randn(512, 200, 3, generator=generator)
    kind = torch.randint(0, 5, (512,), generator=generator)
    return TensorDataset(signal, kind)


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    torch.manual_seed(0)

    data = windows()
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=16, sampler=sampler)

    model = Tremor().cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)  # error: [fsdp-optimizer-before-wrap]
    schedule = CosineAnnealingLR(optimizer, EPOCHS)
    model = FSDP(model, device_id=local_rank)  # related: [fsdp-optimizer-before-wrap]
    criterion = nn.CrossEntropyLoss()

    for epoch in range(EPOCHS):
        sampler.set_epoch(epoch)
        for signal, kind in loader:
            optimizer.zero_grad()
            loss = criterion(model(signal.cuda()), kind.cuda())
            loss.backward()
            optimizer.step()
        schedule.step()
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: loss {loss.item():.4f}")

    dist.destroy_process_group()


if __name__ == "__main__":
    main()
