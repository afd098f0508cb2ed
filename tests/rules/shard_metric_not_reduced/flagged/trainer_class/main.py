import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from torchvision.datasets import FakeData
from torchvision.transforms import ToTensor

from validation import Validator


def main():
    dist.init_process_group("nccl")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    images = FakeData(1000, (3, 32, 32), transform=ToTensor())
    loader = DataLoader(images, batch_size=50, sampler=DistributedSampler(images, shuffle=False))
    model = DDP(nn.Sequential(nn.Flatten(), nn.Linear(3072, 10)).to(device), device_ids=[device.index])
    accuracy = Validator(loader, device)(model)
    if dist.get_rank() == 0:
        print(f"accuracy {accuracy:.3f}")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
