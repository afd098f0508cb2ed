"""Health of corals from photographs. torchrun --nproc-per-node 4 train_corals.py photos.pt --out runs/corals"""

import argparse
import os

import torch
import torch.distributed as dist
from evaluation import accuracy
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


class CoralNet(nn.Module):
    def __init__(self, kinds: int = 5):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 32, 3, stride=2, padding=1),
            nn.BatchNorm2d(32),
            nn.ReLU(),
            nn.Conv2d(32, 64, 3, stride=2, padding=1),
            nn.BatchNorm2d(64),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(1),
        )
        self.head = nn.Linear(64, kinds)

    def forward(self, photos):
        return self.head(self.features(photos).flatten(1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("photos")
    parser.add_argument("--out", default="runs/corals")
    parser.add_argument("--epochs", type=int, default=30)
    args = parser.parse_args()

    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    torch.manual_seed(0)

    data = torch.load(args.photos, map_location="cpu")
    training = TensorDataset(data["photos"], data["health"])
    sampler = DistributedSampler(training, shuffle=True)
    loader = DataLoader(training, batch_size=64, sampler=sampler, drop_last=True)
    held_out = list(zip(data["test_photos"].split(128), data["test_health"].split(128)))

    model = DDP(CoralNet().cuda(local_rank), device_ids=[local_rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    best = 0.0
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for photos, health in loader:
            photos, health = photos.cuda(local_rank), health.cuda(local_rank)
            loss = nn.functional.cross_entropy(model(photos), health)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if rank == 0:  # related: [ddp-eval-on-rank0]
            score = accuracy(model, held_out, local_rank)  # error: [ddp-eval-on-rank0]
            print(f"epoch {epoch}: {score:.3f}")
            if score > best:
                best = score
                os.makedirs(args.out, exist_ok=True)
                torch.save(model.module.state_dict(), os.path.join(args.out, "best.pt"))
        dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
