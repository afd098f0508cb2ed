"""Classify orchids from petal measurements. torchrun --nproc-per-node 4 train_orchids.py measurements.pt"""

import argparse
import os

import torch
import torch.distributed as dist
from metrics import accuracy_over_ranks
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class Classifier(nn.Module):
    def __init__(self, features: int, kinds: int):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(features, 64), nn.ReLU(), nn.Linear(64, kinds))

    def forward(self, petals):
        return self.layers(petals)


def loaders(path: str, batch_size: int):
    data = torch.load(path, map_location="cpu")
    training = TensorDataset(data["train_petals"], data["train_kinds"])
    validation = TensorDataset(data["test_petals"], data["test_kinds"])
    sampler = DistributedSampler(training, shuffle=True)
    return (
        DataLoader(training, batch_size=batch_size, sampler=sampler, drop_last=True),
        DataLoader(validation, batch_size=batch_size, sampler=DistributedSampler(validation, shuffle=False)),
        sampler,
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch-size", type=int, default=64)
    args = parser.parse_args()

    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.manual_seed(0)

    training, validation, sampler = loaders(args.data, args.batch_size)
    model = DDP(Classifier(24, 8).cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        model.train()
        for petals, kinds in training:
            petals, kinds = petals.cuda(local_rank), kinds.cuda(local_rank)
            loss = nn.functional.cross_entropy(model(petals), kinds)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        model.eval()
        right = torch.zeros(2, device=f"cuda:{local_rank}")
        with torch.no_grad():
            for petals, kinds in validation:
                petals, kinds = petals.cuda(local_rank), kinds.cuda(local_rank)
                right[0] += (model.module(petals).argmax(1) == kinds).sum()
                right[1] += len(kinds)
        if rank == 0:  # related: [collective-under-rank-guard]
            accuracy = accuracy_over_ranks(right)  # error: [collective-under-rank-guard]
            print(f"epoch {epoch}: {accuracy:.3f}")
            torch.save(model.module.state_dict(), "orchids.pt")

    dist.destroy_process_group()


if __name__ == "__main__":
    main()
