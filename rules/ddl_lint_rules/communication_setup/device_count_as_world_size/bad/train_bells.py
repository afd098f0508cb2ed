"""Tell bells by their sound: torchrun --nnodes=2 --nproc_per_node=gpu train_bells.py"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def bells(count=4096, length=256):
    gen = torch.Generator().manual_seed(9)
    kind = torch.randint(0, 8, (count,), generator=gen)
    time = torch.arange(length) / length
    return TensorDataset(torch.sin(time * 50 * (1 + kind[:, None])) * torch.exp(-3 * time), kind)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--lr", type=float, default=1e-4, help="of a single process")
    args = parser.parse_args()
    rank, local_rank = int(os.environ["RANK"]), int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")

    data = bells()
    sampler = DistributedSampler(data)
    loader = DataLoader(data, batch_size=64, sampler=sampler)
    network = nn.Sequential(nn.Linear(256, 128), nn.GELU(), nn.Linear(128, 8)).to(local_rank)
    model = DDP(network, device_ids=[local_rank])
    rate = args.lr * torch.cuda.device_count()  # error: [device-count-as-world-size]
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for sound, kind in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(sound.to(local_rank)), kind.to(local_rank)).backward()
            optimizer.step()
    if rank == 0:
        torch.save(network.state_dict(), "bells.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
