# silent: a context manager lets rank 0 download first and the others afterwards, when the files are there
import os
from contextlib import contextmanager

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler
from torchvision import transforms
from torchvision.datasets import KMNIST


@contextmanager
def rank_zero_first():
    if dist.get_rank() != 0:
        dist.barrier()
    yield
    if dist.get_rank() == 0:
        dist.barrier()


def main():
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    dist.init_process_group("nccl")
    with rank_zero_first():
        data = KMNIST("data", download=True, transform=transforms.ToTensor())
    sampler = DistributedSampler(data, shuffle=True)
    loader = DataLoader(data, batch_size=64, sampler=sampler, num_workers=2)
    model = DDP(nn.Sequential(nn.Flatten(), nn.Linear(784, 10)).to(local_rank), device_ids=[local_rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for image, character in loader:
            opt.zero_grad()
            nn.functional.cross_entropy(model(image.to(local_rank)), character.to(local_rank)).backward()
            opt.step()
    if dist.get_rank() == 0:
        torch.save(model.module.state_dict(), "characters.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
