"""Restores scratched film, frame by frame; now and then a scratch makes the loss infinite."""

import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset, DistributedSampler


class Frames(Dataset):
    def __init__(self, root):
        self.paths = sorted(os.path.join(root, name) for name in os.listdir(root))

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        pair = torch.load(self.paths[index], map_location="cpu")
        return pair["scratched"], pair["clean"]


class Restorer(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, 3, 3, padding=1))

    def forward(self, frame):
        return frame + self.layers(frame)


def relative_error(output, clean):
    return ((output - clean).abs() / clean.abs()).mean()


def train_epoch(model, loader, optimizer, device):
    skipped = 0
    for scratched, clean in loader:
        output = model(scratched.to(device))
        loss = relative_error(output, clean.to(device))
        optimizer.zero_grad()
        if not torch.isfinite(loss):
            skipped += 1
            continue  # error: [rank-local-skip-before-backward]
        loss.backward()  # related: [rank-local-skip-before-backward]
        optimizer.step()
    return skipped


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("frames")
    parser.add_argument("--epochs", type=int, default=30)
    args = parser.parse_args()
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    frames = Frames(args.frames)
    sampler = DistributedSampler(frames)
    loader = DataLoader(frames, batch_size=4, sampler=sampler, num_workers=4)
    model = DDP(Restorer().to(device), device_ids=[device.index])
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        skipped = train_epoch(model, loader, optimizer, device)
        print(f"epoch {epoch}: rank {dist.get_rank()} skipped {skipped} batches")
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "restorer.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
