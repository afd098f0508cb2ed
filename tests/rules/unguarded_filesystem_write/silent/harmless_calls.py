# silent: directories that may exist, files that are only read, downloads on rank 0 first
import json
import os
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler
from torchvision import transforms
from torchvision.datasets import CIFAR10


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    os.makedirs("results", exist_ok=True)
    Path("results/plots").mkdir(parents=True, exist_ok=True)
    with open("config.json") as handle:
        config = json.load(handle)
    names = Path("names.txt").read_text().split()
    if rank == 0:
        CIFAR10("data", download=True)
    dist.barrier()
    pictures = CIFAR10("data", transform=transforms.ToTensor(), download=False)
    sampler = DistributedSampler(pictures)
    loader = DataLoader(pictures, batch_size=config["batch"], sampler=sampler)
    model = DDP(nn.Sequential(nn.Flatten(), nn.Linear(3072, len(names))).to(local_rank), device_ids=[local_rank])
    opt = torch.optim.SGD(model.parameters(), lr=config["lr"])
    for epoch in range(config["epochs"]):
        sampler.set_epoch(epoch)
        for picture, label in loader:
            opt.zero_grad()
            nn.functional.cross_entropy(model(picture.to(local_rank)), label.to(local_rank)).backward()
            opt.step()
    dist.barrier()
    if not rank:
        torch.save(model.module.state_dict(), "results/pictures.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
