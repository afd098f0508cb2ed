"""Species of kites from flight tracks. torchrun --nproc-per-node 4 train_kites.py"""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def tracks(count: int) -> TensorDataset:
    generator = torch.Generator().manual_seed(23)
    track = torch.randn(count, 3, 50, generator=generator).cumsum(2)
    return TensorDataset(track, (track[:, 2].mean(1) > 0).long())


def network() -> nn.Module:
    return nn.Sequential(
        nn.Conv1d(3, 16, 5), nn.ReLU(), nn.Conv1d(16, 16, 5), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(16, 2)
    )


def save(path: str, epoch: int, model: DDP, optimizer: torch.optim.Optimizer) -> None:
    torch.save({"epoch": epoch, "model": model.module.state_dict(), "optimizer": optimizer.state_dict()}, path)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--save-every", type=int, default=5)
    parser.add_argument("--out", default="kites.pt")
    args = parser.parse_args()
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    device = torch.device("cuda", local_rank)
    is_main = dist.get_rank() == 0
    torch.manual_seed(0)
    dataset = tracks(8192)
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    model = DDP(network().to(device), device_ids=[local_rank])
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for track, species in loader:
            loss = nn.functional.cross_entropy(model(track.to(device)), species.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        last = epoch == args.epochs - 1
        if is_main and epoch % args.save_every == 0 or last:  # error: [rank-guard-operator-precedence]
            save(args.out, epoch, model, optimizer)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
