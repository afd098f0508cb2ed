"""Segment kelp forests in aerial photographs; the network is sharded over the GPUs of the job.

torchrun --nproc-per-node 8 train_kelp.py --clip 1.0
"""

import argparse
import functools
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp.wrap import size_based_auto_wrap_policy
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def build(width):
    return nn.Sequential(
        nn.Conv2d(4, width, 3, padding=1),
        nn.GELU(),
        nn.Conv2d(width, width, 3, padding=1),
        nn.GELU(),
        nn.Conv2d(width, 2, 1),
    )


def photographs():
    generator = torch.Generator().manual_seed(5)
    pixels = torch.rand(256, 4, 64, 64, generator=generator)
    return TensorDataset(pixels, (pixels.mean(1) > 0.5).long())


def train_epoch(model, loader, optimizer, criterion, args):
    norm = torch.zeros(())
    for pixels, kelp in loader:
        optimizer.zero_grad()
        loss = criterion(model(pixels.cuda()), kelp.cuda())
        loss.backward()
        if args.clip > 0:
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)  # error: [fsdp-clip-grad-norm]
        optimizer.step()
    return norm


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clip", type=float, default=1.0)
    parser.add_argument("--epochs", type=int, default=10)
    args = parser.parse_args()

    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    torch.manual_seed(0)

    data = photographs()
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=8, sampler=sampler)

    policy = functools.partial(size_based_auto_wrap_policy, min_num_params=10_000)
    model = FSDP(build(128), auto_wrap_policy=policy, device_id=local_rank)  # related: [fsdp-clip-grad-norm]
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    criterion = nn.CrossEntropyLoss()

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        norm = train_epoch(model, loader, optimizer, criterion, args)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: gradient norm {norm.item():.3f}")

    dist.destroy_process_group()


if __name__ == "__main__":
    main()
