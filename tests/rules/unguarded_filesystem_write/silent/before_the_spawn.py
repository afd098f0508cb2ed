# silent: the parent process prepares folders and configuration before it starts the ranks; it is alone then
import json
import os
import shutil

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torchvision.datasets import MNIST
from torchvision.transforms import ToTensor


def worker(rank, world_size, folder):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29812", rank=rank, world_size=world_size)
    digits = MNIST("data", transform=ToTensor())
    sampler = torch.utils.data.DistributedSampler(digits, shuffle=True)
    loader = torch.utils.data.DataLoader(digits, batch_size=64, sampler=sampler)
    net = nn.Sequential(nn.Flatten(), nn.Linear(784, 10)).to(rank)
    model = DDP(net, device_ids=[rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for image, digit in loader:
            opt.zero_grad()
            nn.functional.cross_entropy(model(image.to(rank)), digit.to(rank)).backward()
            opt.step()
    if rank == 0:
        torch.save(net.state_dict(), os.path.join(folder, "digits.pt"))
    dist.destroy_process_group()


def main():
    folder = "runs/digits"
    world_size = torch.cuda.device_count()
    if os.path.isdir(folder):
        shutil.rmtree(folder)
    os.makedirs(folder)
    with open(os.path.join(folder, "config.json"), "w") as handle:
        json.dump({"world_size": world_size}, handle)
    MNIST("data", download=True)
    mp.spawn(worker, args=(world_size, folder), nprocs=world_size)
    shutil.make_archive("digits", "zip", folder)


if __name__ == "__main__":
    main()
