import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler
from torchvision import datasets, transforms


def clothes(root):
    pixels = transforms.ToTensor()
    return datasets.FashionMNIST(root, download=True, transform=pixels)  # expect: unguarded-filesystem-write


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    data = clothes("data")
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=128, sampler=sampler, num_workers=4)
    model = DDP(nn.Sequential(nn.Flatten(), nn.Linear(784, 10)).to(local_rank), device_ids=[local_rank])
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(4):
        sampler.set_epoch(epoch)
        for image, kind in loader:
            opt.zero_grad()
            nn.functional.cross_entropy(model(image.to(local_rank)), kind.to(local_rank)).backward()
            opt.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "clothes.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
