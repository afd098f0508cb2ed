import urllib.request
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

SOURCE = "https://data.example.org/beehives.pt"


def prepare(path):
    """Fetches the recordings once; the others wait for rank 0."""
    if dist.get_rank() != 0:
        return  # expect: early-exit-before-collective
    if not path.exists():
        urllib.request.urlretrieve(SOURCE, path)
    dist.barrier()


def main():
    dist.init_process_group("gloo")
    path = Path("beehives.pt")
    prepare(path)
    table = torch.load(path, map_location="cpu")
    dataset = TensorDataset(table["sound"], table["swarming"])
    sampler = DistributedSampler(dataset)
    loader = DataLoader(dataset, batch_size=64, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1)))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    for epoch in range(20):
        sampler.set_epoch(epoch)
        for sound, swarming in loader:
            loss = nn.functional.binary_cross_entropy_with_logits(model(sound).squeeze(1), swarming)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
