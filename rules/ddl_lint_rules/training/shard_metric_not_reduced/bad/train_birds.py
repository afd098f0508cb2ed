"""Start with: torchrun --nproc-per-node 4 train_birds.py --folder recordings"""

import argparse
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import TensorDataset

from scores import accuracy, make_loader


def read(file: Path) -> TensorDataset:
    held = torch.load(file, map_location="cpu")
    return TensorDataset(held["spectra"], held["species"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--batch-size", type=int, default=128)
    args = parser.parse_args()

    dist.init_process_group("gloo")
    torch.manual_seed(0)
    train_loader = make_loader(read(args.folder / "train.pt"), args.batch_size, shuffle=True)
    test_loader = make_loader(read(args.folder / "test.pt"), args.batch_size, shuffle=False)
    model = DDP(nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 12)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    for epoch in range(args.epochs):
        train_loader.sampler.set_epoch(epoch)
        model.train()
        for sound, species in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(sound), species).backward()
            optimizer.step()
        score = accuracy(model, test_loader)
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: accuracy {score:.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
