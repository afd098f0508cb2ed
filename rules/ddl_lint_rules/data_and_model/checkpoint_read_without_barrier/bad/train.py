import argparse
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def build_model():
    return nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))


def train_epoch(model, loader, optimizer, device):
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(inputs.to(device)), targets.to(device))
        loss.backward()
        optimizer.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--checkpoint", default="last.pt")
    args = parser.parse_args()
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)

    dataset = TensorDataset(torch.randn(1024, 16), torch.randint(0, 4, (1024,)))
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=32, sampler=sampler)
    model = DistributedDataParallel(build_model().to(device), device_ids=[device.index])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        train_epoch(model, loader, optimizer, device)

    if rank == 0:
        torch.save(model.module.state_dict(), args.checkpoint)
    best = build_model().to(device)
    best.load_state_dict(torch.load(args.checkpoint, map_location=device))  # error: [checkpoint-read-without-barrier]
    best.eval()
    with torch.no_grad():
        scores = best(torch.randn(64, 16, device=device))
    print(f"rank {rank}: {scores.mean().item():.4f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
